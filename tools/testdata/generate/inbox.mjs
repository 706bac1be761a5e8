// Writes ../inbox.jsonl, ../inbox.expected.jsonl and ../keys/*.nsec: Alice's
// inbox as nostr-tools and noble make it, and what each line is meant to be.
// README.md tells how to run it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { chacha20 } from '@noble/ciphers/chacha.js';
import { expand } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { base64 } from '@scure/base';
import * as nip19 from 'nostr-tools/nip19';
import * as nip44 from 'nostr-tools/nip44';
import * as nip59 from 'nostr-tools/nip59';
import {
  Random, byteLength, check, concatBytes, decrypt, encrypt, fillTo, publicKey, rumor, seal, seedSystem,
  sha256, sha256Hex, sign, spellings, tamperHex, throws, utf8ToBytes, verifies, wrap,
} from './common.mjs';
import { paragraphs, texts } from './messages.mjs';

const out = new URL('../', import.meta.url);
const random = new Random('sealwright inbox 1');
const clock = seedSystem(new Random('sealwright inbox 1: the platform'));

// The people. Alice owns the inbox; alice-phone is a second key of hers.
const senders = Object.keys(texts);
const people = {};
for (const name of [...senders, 'alice-phone', 'mallory', 'zoe']) {
  const secret = sha256(utf8ToBytes('sealwright test key, not a secret: ' + name));
  people[name] = { name, secret, pub: publicKey(secret) };
}
const { alice, bob, carol, dmitri, fatima, hana, priya, wei, mallory, zoe } = people;
const phone = people['alice-phone'];

const start = 1767258000; // 2026-01-01 09:00 UTC
const twoDays = 172800;
let hour = 0;
const nextTime = () => start + 3600 * hour++ + random.below(3600);
const before = (t) => Math.max(0, t - random.below(twoDays));

const entries = []; // { text, expected }
const add = (text, expected) => entries.push({ text, expected });

function opens(event, r, from, sealId, text = JSON.stringify(event), more = {}) {
  add(text, {
    outcome: 'open',
    sender: from.pub,
    rumor_id: r.id,
    kind: r.kind,
    created_at: r.created_at,
    tags: r.tags,
    content_sha256: sha256Hex(r.content),
    content_length: byteLength(r.content),
    wrap_id: event.id,
    wrap_kind: event.kind,
    wrap_created_at: event.created_at,
    seal_id: sealId,
    ...more,
  });
}
const refuses = (text, reason, layer, cls, more = {}) =>
  add(typeof text === 'string' ? text : JSON.stringify(text), { outcome: 'refuse', reason, layer, class: cls, ...more });

// send builds both layers with every value given.
function send(from, r, o = {}) {
  const t = r.created_at;
  const s = seal((o.rumorText ?? JSON.stringify)(r), from.secret, alice.pub, o.ephemeral ? t : before(t), random, { tags: o.sealTags });
  const oneTime = random.secretKey();
  const w = wrap((o.sealText ?? JSON.stringify)(s), oneTime, alice.pub, o.ephemeral ? t : before(t), random, {
    kind: o.ephemeral ? 21059 : 1059,
    tags: [['p', alice.pub, ...(o.relay ? [o.relay] : [])], ...(o.wrapTags ?? [])],
  });
  const expected = o.rumorText ? { ...rumor(r.pubkey, r) } : r; // with the id even where the text leaves it out
  opens(w, expected, from, s.id, (o.wrapText ?? JSON.stringify)(w));
  check(verifies(w) && verifies(s), 'an honest event does not verify');
  return { seal: s, wrap: w };
}

// sendByLibrary lets nostr-tools do all of it: rumor, seal, one-time key, times.
function sendByLibrary(from, template) {
  clock.now = template.created_at;
  const w = nip59.wrapEvent(template, from.secret, alice.pub);
  const s = JSON.parse(decrypt(w.content, alice.secret, w.pubkey));
  const r = nip59.unwrapEvent(w, alice.secret);
  check(r.content === template.content, 'nostr-tools reads other content than it wrote');
  opens(w, r, from, s.id);
}

// 1. Everyday messages: most by nostr-tools' own nip59.wrapEvent, some built
// here, some ephemeral, which nostr-tools does not make.
for (const name of senders) {
  for (const content of texts[name]) {
    check(byteLength(content) >= 32, 'too short: ' + content);
    const from = people[name];
    const template = { kind: 14, created_at: nextTime(), tags: [['p', alice.pub]], content };
    const way = random.below(10);
    if (way < 6) sendByLibrary(from, template);
    else send(from, rumor(from.pub, template), { ephemeral: way >= 8, relay: way === 7 ? 'wss://inbox.example.org' : undefined });
  }
}

// 2. Letters of exact lengths, around each step of the padding, up to where
// first the wrap and then the seal needs the extended form.
const sizes = [
  32, 33, 63, 64, 65, 96, 100, 128, 129, 192, 255, 256, 257, 320, 321, 500, 512, 513, 768, 1000, 1023, 1024, 1025, 1500,
  2000, 2048, 2049, 3000, 4096, 4097, 6000, 8192, 10000, 16384, 20480, 32768, 40000, 41500, 48000, 64000, 65536,
];
sizes.forEach((n, i) => {
  const from = people[senders[i % senders.length]];
  let letter = `№ ${i + 1}. `;
  for (let j = i; byteLength(letter) < n; j++) letter += paragraphs[j % paragraphs.length] + '\n\n';
  const content = fillTo(letter, n);
  check(byteLength(content) === n, 'length');
  const template = { kind: 14, created_at: nextTime(), tags: [['p', alice.pub]], content };
  if (i % 2) sendByLibrary(from, template);
  else send(from, rumor(from.pub, template), { ephemeral: i % 8 === 4 });
});

// 3. Every spelling of the three JSON texts that a reader must take.
const awkward = 'Path: C:\\tools\\"new"/<b>&amp;</b> \u2028\u2029 tab\there, DEL\u007f, é, ש, 語, 🐝 (bee) \u{1d11e}';
for (const [name, spell] of Object.entries(spellings)) {
  const from = random.pick([bob, carol, wei]);
  const make = () => rumor(from.pub, { created_at: nextTime(), tags: [['p', alice.pub], ['subject', 'spelling & <form>: ' + name]], content: awkward });
  send(from, make(), { rumorText: spell });
  send(from, make(), { sealText: spell });
  // A line holds no line break: only one-line spellings for the wrap itself.
  if (!spell({ a: 1 }).includes('\n')) send(from, make(), { wrapText: spell });
}

// 4. Characters that others get wrong.
const controls = Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join('');
for (const [subject, content] of [
  ['controls', 'All thirty-two of them: ' + controls + ' and that is it.'],
  ['byte order mark', '\ufeffThis text begins with a byte order mark, and it stays.'],
  ['combining', 'Combining: e\u0301 is not \u00e9, n\u0303 is not \u00f1; keep both as they are.'],
  ['bidi', 'Mixed \u202bעברית and العربية\u202c with isolates \u2066abc\u2069 and marks \u200e\u200f.'],
  ['noncharacters', 'U+FFFD \ufffd, U+FFFE \ufffe, U+FFFF \uffff, U+10FFFF \u{10ffff}, ZWJ \u200d, NBSP \u00a0.'],
  ['json in json', JSON.stringify({ id: 'not an id', tags: [['p', '"]}']], text: '\\u0041\\n' })],
]) {
  send(hana, rumor(hana.pub, { created_at: nextTime(), tags: [['p', alice.pub], ['subject', subject, '', content.slice(0, 9)]], content }));
}

// 5. Other kinds, rooms, and rumors that leave something out.
const everyone = [bob, carol, dmitri, fatima].map((p) => ['p', p.pub, 'wss://relay.example.org']);
const first = rumor(bob.pub, { created_at: nextTime(), tags: [['p', alice.pub], ...everyone, ['subject', 'Garden day 🌻']], content: 'Garden day is on the 17th. Who brings what?' });
send(bob, first);
send(bob, first, { wrapTags: [['expiration', String(start + 90 * 86400)]] }); // the same rumor, sent again
send(carol, rumor(carol.pub, { created_at: nextTime(), tags: [['p', alice.pub], ['p', bob.pub], ['e', first.id, 'wss://relay.example.org']], content: 'Llevo la sierra y dos tortillas.' }));
send(dmitri, rumor(dmitri.pub, { kind: 7, created_at: nextTime(), tags: [['e', first.id], ['p', bob.pub], ['k', '14']], content: '+' }), { ephemeral: true });
send(fatima, rumor(fatima.pub, { kind: 7, created_at: nextTime(), tags: [['e', first.id], ['emoji', 'sunflower', 'https://example.org/s.png']], content: ':sunflower:' }));
send(hana, rumor(hana.pub, { kind: 5, created_at: nextTime(), tags: [['e', first.id]], content: '' }));
send(wei, rumor(wei.pub, {
  kind: 15,
  created_at: nextTime(),
  tags: [['p', alice.pub], ['file-type', 'image/jpeg'], ['encryption-algorithm', 'aes-gcm'], ['decryption-key', sha256Hex('k')], ['decryption-nonce', sha256Hex('n').slice(0, 24)], ['x', sha256Hex('x')], ['dim', '1920x1080']],
  content: 'https://files.example.org/' + sha256Hex('x') + '.bin',
}));
send(priya, rumor(priya.pub, { kind: 1, created_at: nextTime(), tags: [], content: 'एक साधारण नोट, बिना किसी टैग के।' }));
send(bob, rumor(bob.pub, { kind: 65535, created_at: 0, tags: [['']], content: 'The highest kind, the oldest time, one empty tag item.' }));
send(bob, rumor(bob.pub, { kind: 0, created_at: 2 ** 53 - 1, tags: [['a', '', ''], ['b']], content: 'The lowest kind and the last time of all.' }));
const without = (key) => (r) => JSON.stringify({ ...r, [key]: undefined });
const noId = rumor(carol.pub, { created_at: nextTime(), tags: [['p', alice.pub]], content: 'Este rumor llega sin id; hay que calcularlo.' });
send(carol, noId, { rumorText: without('id') });
for (const sig of [null, '']) {
  const r = rumor(carol.pub, { created_at: nextTime(), tags: [['p', alice.pub]], content: `Unsigned, and it says so: sig is ${JSON.stringify(sig)}.` });
  send(carol, r, { rumorText: (v) => JSON.stringify({ ...v, sig }) });
}
{
  // A rumor must not be signed; a reader drops the signature or refuses it all.
  const r = rumor(bob.pub, { created_at: nextTime(), tags: [['p', alice.pub]], content: 'This one bears a signature that nobody should pass on.' });
  send(bob, r, { rumorText: (v) => JSON.stringify(sign(v, bob.secret, random.bytes(32))) });
}
send(dmitri, rumor(dmitri.pub, { created_at: nextTime(), tags: [['p', alice.pub]], content: 'Это сообщение исчезнет через месяц.' }), {
  sealTags: [['expiration', String(start + 30 * 86400)]],
  wrapTags: [['expiration', String(start + 30 * 86400)]],
});
send(wei, rumor(wei.pub, { created_at: nextTime(), tags: [['p', alice.pub]], content: '外层带有工作量证明标签和中继提示。' }), {
  relay: 'wss://inbox.example.org',
  wrapTags: [['nonce', '000000776797', '8']],
});

// 6. Hostile and broken wraps. Each helper is an honest step with one thing
// wrong, signed anew where only a deeper layer is meant to fail.
const hello = (from = bob, more = {}) => rumor(from.pub, { created_at: nextTime(), tags: [['p', alice.pub]], content: 'Hello Alice, please open this one, it is important.', ...more });
const sealed = (from, text, o) => seal(text, from.secret, alice.pub, before(start), random, o);
const wrapped = (text, o = {}) => wrap(text, random.secretKey(), o.to ?? alice.pub, before(start + 3600 * hour), random, o);
const honest = (from = bob) => sealed(from, JSON.stringify(hello(from)));
const honestWrap = (o) => wrapped(JSON.stringify(honest()), o);

// signedContent signs a wrap around any content at all.
const signedContent = (content) =>
  sign({ kind: 1059, created_at: before(start), tags: [['p', alice.pub]], content }, random.secretKey(), random.bytes(32));
// withContent encrypts text, changes the payload, and signs what came of it.
function withContent(text, change) {
  const oneTime = random.secretKey();
  const content = change(encrypt(text, oneTime, alice.pub, random.bytes(32)));
  return sign({ kind: 1059, created_at: before(start), tags: [['p', alice.pub]], content }, oneTime, random.bytes(32));
}
const bytesOf = (payload, f) => {
  const raw = base64.decode(payload);
  return base64.encode(f(raw) ?? raw);
};
const flip = (i) => (payload) => bytesOf(payload, (raw) => void (raw[i < 0 ? raw.length + i : i] ^= 1));
// payloadOf encrypts a padded block as it stands, with a true MAC.
function payloadOf(block, secret, peer) {
  const nonce = random.bytes(32);
  const keys = expand(sha256, nip44.v2.utils.getConversationKey(secret, peer), nonce, 76);
  const ct = chacha20(keys.slice(0, 32), keys.slice(32, 44), block);
  return base64.encode(concatBytes(new Uint8Array([2]), nonce, ct, hmac(sha256, keys.slice(44, 76), concatBytes(nonce, ct))));
}
function wrapOfBlock(block) {
  const oneTime = random.secretKey();
  return sign({ kind: 1059, created_at: before(start), tags: [['p', alice.pub]], content: payloadOf(block, oneTime, alice.pub) }, oneTime, random.bytes(32));
}
const block = (length, size, text) => {
  const b = new Uint8Array(size);
  new DataView(b.buffer).setUint16(0, length);
  b.set(utf8ToBytes(text), 2);
  return b;
};

// the wrap
for (const i of [0, 63, 127]) {
  const w = honestWrap();
  refuses({ ...w, sig: tamperHex(w.sig, i) }, 'wrap-signature', 'wrap', 'forged', { note: 'one bit' });
}
{
  const [a, b] = [honestWrap(), honestWrap({ kind: 21059 })];
  refuses({ ...a, sig: b.sig }, 'wrap-signature', 'wrap', 'forged', { note: 'the signature of another event' });
  refuses({ ...a, id: tamperHex(a.id) }, 'wrap-id', 'wrap', 'forged');
  refuses({ ...b, created_at: b.created_at + 1 }, 'wrap-id', 'wrap', 'forged', { note: 'the signature verifies over the claimed id' });
  const offCurve = { ...a, pubkey: '0'.repeat(64) };
  refuses({ ...offCurve, id: rumor(offCurve.pubkey, offCurve).id }, 'wrap-key', 'wrap', 'forged', { note: 'a key that is no point of the curve' });
  const c = honestWrap();
  refuses({ ...c, content: honestWrap().content }, 'wrap-id', 'wrap', 'forged', { note: 'other content under the same id and signature' });
}
for (const kind of [1, 13, 14, 1060, 21058]) refuses(honestWrap({ kind }), 'wrap-kind', 'wrap', 'malformed');
for (const kind of [1059, 1059, 21059]) {
  const r = rumor(bob.pub, { created_at: nextTime(), tags: [['p', zoe.pub]], content: 'Zoe, the keys are in the usual place.' });
  const s = seal(JSON.stringify(r), bob.secret, zoe.pub, before(start), random);
  refuses(wrapped(JSON.stringify(s), { to: zoe.pub, kind }), 'for-someone-else', 'wrap', 'not_for_me');
}
for (let i = 0; i < 3; i++) {
  const r = rumor(carol.pub, { created_at: nextTime(), tags: [['p', phone.pub]], content: 'Para tu teléfono: ¿has llegado bien a casa? ' + i });
  const s = seal(JSON.stringify(r), carol.secret, phone.pub, before(start), random);
  const w = wrapped(JSON.stringify(s), { to: phone.pub, kind: i === 2 ? 21059 : 1059 });
  refuses(w, 'for-someone-else', 'wrap', 'not_for_me', { opens_with: 'alice-phone', opens_as: { sender: carol.pub, rumor_id: r.id, content_sha256: sha256Hex(r.content) } });
}
{
  const r = hello();
  const s = seal(JSON.stringify(r), bob.secret, zoe.pub, before(start), random);
  refuses(wrap(JSON.stringify(s), random.secretKey(), zoe.pub, before(start), random, { tags: [['p', alice.pub]] }), 'mac', 'wrap', 'not_for_me', { note: 'names Alice, encrypted to Zoe' });
}
for (const i of [-1, -32, 1, 33, -40]) {
  const where = { '-1': 'last byte of the MAC', '-32': 'first byte of the MAC', 1: 'nonce', 33: 'ciphertext', '-40': 'ciphertext' }[i];
  refuses(withContent(JSON.stringify(honest()), flip(i)), 'mac', 'wrap', 'not_for_me', { note: where });
}
for (const v of [0, 1, 3, 255]) {
  refuses(withContent(JSON.stringify(honest()), (p) => bytesOf(p, (raw) => void (raw[0] = v))), 'version', 'wrap', 'malformed', { note: 'version byte ' + v });
}
refuses(withContent(JSON.stringify(honest()), (p) => '#' + p.slice(1)), 'version', 'wrap', 'malformed', { note: '#' });
refuses(signedContent('#'), 'version', 'wrap', 'malformed', { note: '# alone' });
refuses(withContent(JSON.stringify(honest()), (p) => p.slice(0, 100) + '!' + p.slice(101)), 'base64', 'wrap', 'malformed');
refuses(withContent(JSON.stringify(honest()), (p) => p.slice(0, 100) + '\n' + p.slice(101)), 'base64', 'wrap', 'malformed', { note: 'a line break for a character' });
refuses(withContent(JSON.stringify(honest()), (p) => p.slice(0, 76) + '\r\n' + p.slice(76) + '\r\n'), 'line-breaks', 'wrap', 'malformed', { note: 'lines as in mail' });
refuses(signedContent(base64.encode(concatBytes(new Uint8Array([2]), random.bytes(64)))), 'too-short', 'wrap', 'malformed', { note: 'an empty ciphertext' });
refuses(signedContent(encrypt('x', bob.secret, alice.pub, random.bytes(32)).slice(0, 128)), 'too-short', 'wrap', 'malformed', { note: 'one quantum short of the shortest' });
refuses(withContent(JSON.stringify(honest()), (p) => bytesOf(p, (raw) => raw.slice(0, -16))), 'length', 'wrap', 'malformed', { note: 'a length that no padding makes' });
refuses(wrapOfBlock(block(0, 34, 'nothing at all')), 'padding', 'wrap', 'malformed', { note: 'length 0 under a true MAC' });
refuses(wrapOfBlock(block(20, 66, 'twenty bytes, or so..')), 'padding', 'wrap', 'malformed', { note: 'padded to 64 instead of 32' });
refuses(wrapOfBlock(block(65535, 34, 'short')), 'padding', 'wrap', 'malformed', { note: 'a length beyond the block' });

// the seal
for (const i of [0, 64, 127]) {
  const s = honest(people[random.pick(['bob', 'carol', 'wei'])]);
  refuses(wrapped(JSON.stringify({ ...s, sig: tamperHex(s.sig, i) }), { kind: i ? 1059 : 21059 }), 'seal-signature', 'seal', 'forged', { note: 'one bit' });
}
{
  const r = hello();
  // Mallory cannot encrypt as Bob, but whoever stole Alice's key can.
  const content = encrypt(JSON.stringify(r), alice.secret, bob.pub, random.bytes(32));
  const s = { ...sign({ kind: 13, created_at: before(start), tags: [], content }, mallory.secret, random.bytes(32)), pubkey: bob.pub };
  s.id = rumor(s.pubkey, s).id;
  refuses(wrapped(JSON.stringify(s)), 'seal-signature', 'seal', 'forged', { note: 'readable and in Bob\'s name, signed by another' });
  const t = honest();
  refuses(wrapped(JSON.stringify({ ...t, id: tamperHex(t.id, 5) })), 'seal-id', 'seal', 'forged');
  refuses(wrapped(JSON.stringify({ ...t, created_at: t.created_at + 1 })), 'seal-id', 'seal', 'forged', { note: 'the signature verifies over the claimed id' });
  refuses(wrapped(JSON.stringify({ ...t, sig: '0'.repeat(128) })), 'seal-signature', 'seal', 'forged', { note: 'zeros' });
}
refuses(wrapped(JSON.stringify(hello())), 'no-seal', 'seal', 'malformed', { note: 'the rumor lies in the wrap itself' });
refuses(wrapped(JSON.stringify(sign({ kind: 1, created_at: start, tags: [], content: 'A public note, wrapped.' }, bob.secret, random.bytes(32)))), 'seal-kind', 'seal', 'malformed', { note: 'a signed note instead of a seal' });
for (const kind of [14, 1059, 0]) refuses(wrapped(JSON.stringify(sealed(bob, JSON.stringify(hello()), { kind }))), 'seal-kind', 'seal', 'malformed');
refuses(wrapped(JSON.stringify(honestWrap())), 'seal-kind', 'seal', 'malformed', { note: 'a wrap inside a wrap' });
refuses(wrapped(JSON.stringify(sealed(bob, JSON.stringify(hello()), { tags: [['p', alice.pub]] }))), 'seal-tags', 'seal', 'malformed');
refuses(wrapped('I am no JSON, just a sentence of some length.'), 'json', 'seal', 'malformed');
refuses(wrapped(JSON.stringify(honest()).slice(0, -20)), 'json', 'seal', 'malformed', { note: 'cut short' });
refuses(wrapped(JSON.stringify(honest()).replace('"kind":13', '"kind":13,"kind":13')), 'json', 'seal', 'malformed', { note: 'kind twice' });
refuses(wrapped(JSON.stringify(honest()).replace('"kind"', '"Kind"')), 'json', 'seal', 'malformed', { note: 'Kind' });
refuses(wrapped('[]'), 'json', 'seal', 'malformed');
{
  const bad = (change) => {
    const content = change(encrypt(JSON.stringify(hello()), bob.secret, alice.pub, random.bytes(32)));
    return wrapped(JSON.stringify(sign({ kind: 13, created_at: before(start), tags: [], content }, bob.secret, random.bytes(32))));
  };
  refuses(bad((p) => bytesOf(p, (raw) => void (raw[0] = 1))), 'version', 'seal', 'malformed');
  refuses(bad((p) => p.slice(0, 50) + '*' + p.slice(51)), 'base64', 'seal', 'malformed');
  refuses(bad(() => 'Zm9vYmFy?iv=Zm9vYmFyZm9vYmFyZm9vYg=='), 'legacy', 'seal', 'malformed', { note: 'NIP-04 inside a seal' });
  // Well signed, so Bob may have encrypted under another key of his.
  refuses(bad(flip(-1)), 'mac', 'seal', 'not_for_me', { note: 'MAC of a well signed seal' });
}

// the rumor
refuses(wrapped(JSON.stringify(sealed(mallory, JSON.stringify(hello(bob))))), 'sender-mismatch', 'rumor', 'forged', { note: 'Mallory seals what names Bob' });
refuses(wrapped(JSON.stringify(sealed(mallory, JSON.stringify(hello(alice)))), { kind: 21059 }), 'sender-mismatch', 'rumor', 'forged', { note: 'Mallory seals what names Alice' });
refuses(wrapped(JSON.stringify(sealed(mallory, JSON.stringify(honest(bob))))), 'sender-mismatch', 'rumor', 'forged', { note: 'Bob\'s seal, sealed again by Mallory' });
{
  const r = hello();
  refuses(wrapped(JSON.stringify(sealed(bob, JSON.stringify({ ...r, id: tamperHex(r.id) })))), 'rumor-id', 'rumor', 'forged');
  refuses(wrapped(JSON.stringify(sealed(bob, JSON.stringify({ ...r, content: 'Other words under the same id.' })))), 'rumor-id', 'rumor', 'forged');
  const text = JSON.stringify(r);
  const broken = [
    [text.slice(0, 60), 'cut short'],
    ['Just text, no JSON.', 'no JSON'],
    [JSON.stringify({ ...r, created_at: undefined }), 'created_at missing'],
    [JSON.stringify({ ...r, content: { text: 'an object' } }), 'content is an object'],
    [JSON.stringify({ ...r, tags: [['p', null]] }), 'null in a tag'],
    [JSON.stringify({ ...r, kind: 65536 + 14 }), 'kind 65550'],
    [JSON.stringify({ ...r, created_at: 1.5 }), 'a fraction of a second'],
    [text.replace('"content"', '"content":"first","content"'), 'content twice'],
    [text.replace('Hello', '\\ud83d'), 'half a surrogate pair'],
    [text.replace('Hello', 'He\nllo'), 'a raw line break in a string'],
    [text + '{}', 'something behind it'],
    [text.replace(bob.pub, bob.pub.toUpperCase()), 'upper-case hexadecimal'],
  ];
  for (const [t, note] of broken) refuses(wrapped(JSON.stringify(sealed(bob, t))), 'json', 'rumor', 'malformed', { note });
}

// 7. Lines that are no event.
{
  const w = JSON.stringify(honestWrap());
  const e = JSON.parse(w);
  for (const [text, note] of [
    ['This line is not JSON at all.', 'prose'],
    [w.slice(0, w.length / 2), 'cut in half'],
    [w.slice(0, -1), 'the last brace is missing'],
    [w + w, 'two events on a line'],
    ['{}', 'an empty object'],
    ['[]', 'an empty array'],
    ['null', 'null'],
    ['"' + e.id + '"', 'a string'],
    [JSON.stringify({ ...e, id: e.id.toUpperCase() }), 'upper-case id'],
    [JSON.stringify({ ...e, pubkey: e.pubkey.slice(2) }), 'a short key'],
    [JSON.stringify({ ...e, kind: '1059' }), 'kind is a string'],
    [JSON.stringify({ ...e, tags: [['p', 1]] }), 'a number in a tag'],
    [JSON.stringify({ ...e, sig: undefined }), 'no signature'],
    [w.replace('"kind":1059', '"kind":1059,"kind":1'), 'kind twice'],
    [w.replace('"created_at":', '"created_at":0'), 'a leading zero'],
    ['["EVENT","inbox",' + w + ']', 'a relay message'],
    ['['.repeat(200) + ']'.repeat(200), 'deep nesting'],
    ['\u0001\u0002\u0003\u007f\u0080\u00ff\ufffd\u{10ffff}\u2028 binary-ish, but valid UTF-8 \u0004', 'binary-ish'],
    ['<html><body>502 Bad Gateway</body></html>', 'HTML'],
  ]) refuses(text, 'json', 'wrap', 'malformed', { note });
}

// Each line stands where chance puts it.
random.shuffle(entries);
const lines = entries.map((e) => e.text);
const expected = entries.map((e, i) => ({ line: i + 1, ...e.expected }));
for (const l of lines) check(l !== '' && !/[\r\n]/.test(l), 'a line break inside a line');

// nostr-tools must agree wherever it checks the same things: it opens every
// durable wrap that is meant to open, except that it reads no other kind.
const counts = {};
entries.forEach(({ text, expected: want }, i) => {
  counts[want.outcome] = (counts[want.outcome] ?? 0) + 1;
  if (want.outcome !== 'open') return;
  const event = JSON.parse(text);
  check(verifies(event), `line ${i + 1} does not verify`);
  if (event.kind === 21059) check(throws(() => nip59.unwrapEvent(event, alice.secret)), 'nostr-tools reads 21059 now: let it');
  const r = nip59.unwrapEvent({ ...event, kind: 1059 }, alice.secret);
  check(r.pubkey === want.sender && sha256Hex(r.content) === want.content_sha256, `line ${i + 1}: nostr-tools reads it otherwise`);
  check(r.id === undefined || r.id === want.rumor_id, `line ${i + 1}: rumor id`);
});

mkdirSync(new URL('keys/', out), { recursive: true });
for (const p of Object.values(people)) writeFileSync(new URL(`keys/${p.name}.nsec`, out), nip19.nsecEncode(p.secret) + '\n', { mode: 0o600 });
writeFileSync(new URL('inbox.jsonl', out), lines.join('\n') + '\n');
writeFileSync(new URL('inbox.expected.jsonl', out), expected.map((e) => JSON.stringify(e) + '\n').join(''));
console.log(`inbox.jsonl: ${lines.length} lines, ${lines.reduce((n, l) => n + byteLength(l) + 1, 0)} bytes, ${counts.open} open, ${counts.refuse} refused`);
