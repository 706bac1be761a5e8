// Writes ../../../protocol/testdata/*.json: what noble and nostr-tools compute,
// for the tests in protocol/conformance. README.md tells how to run it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { chacha20 } from '@noble/ciphers/chacha.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { expand } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { base64 } from '@scure/base';
import { getEventHash, serializeEvent } from 'nostr-tools/pure';
import * as nip44 from 'nostr-tools/nip44';
import * as nip59 from 'nostr-tools/nip59';
import {
  Random, byteLength, bytesToHex, check, concatBytes, decrypt, encrypt, fillTo, hexToBytes, publicKey, rumor, schnorr, seal,
  seedSystem, sha256, sha256Hex, sign, spellings, tamperHex, throws, utf8ToBytes, verifies, wrap,
} from './common.mjs';
import { paragraphs } from './messages.mjs';

const out = new URL('../../../protocol/testdata/', import.meta.url);
mkdirSync(out, { recursive: true });
const clock = seedSystem(new Random('sealwright conformance 1: the platform'));

const { Fp, Fn } = secp256k1.Point;
const p = Fp.ORDER;
const n = Fn.ORDER;
const lambda = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n;
const hex = (v) => v.toString(16).padStart(64, '0');
const bytes = (v) => hexToBytes(hex(v));
const word = (random) => BigInt('0x' + bytesToHex(random.bytes(32)));

// write prints one case a line: small diffs, and no formatter decides.
function write(name, lists) {
  const parts = Object.entries(lists).map(([k, v]) =>
    Array.isArray(v) ? `${JSON.stringify(k)}: [\n${v.map((c) => JSON.stringify(c)).join(',\n')}\n]` : `${JSON.stringify(k)}: ${JSON.stringify(v)}`);
  const text = `{\n${parts.join(',\n')}\n}\n`;
  JSON.parse(text);
  writeFileSync(new URL(name, out), text);
  const counts = Object.entries(lists).filter(([, v]) => Array.isArray(v)).map(([k, v]) => `${v.length} ${k}`);
  console.log(`${name}: ${text.length} characters; ${counts.join(', ')}`);
}

// Scalars at the edges: ends of the range, the endomorphism's, powers of two
// about the halves that a split makes, runs of ones.
const edges = [
  1n, 2n, 3n, 4n, 5n, 15n, 16n, 17n, 31n, 32n, 33n, 255n, 256n, n - 1n, n - 2n, n - 3n, n - 16n, (n - 1n) / 2n, (n + 1n) / 2n,
  lambda, n - lambda, (lambda * lambda) % n, lambda + 1n, lambda - 1n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 127n, 2n ** 128n - 1n, 2n ** 128n,
  2n ** 128n + 1n, 2n ** 129n - 1n, 2n ** 192n, 2n ** 255n, 2n ** 255n - 1n, p - n, BigInt('0x' + '55'.repeat(32)), BigInt('0x' + 'aa'.repeat(32)),
  BigInt('0x' + '0f'.repeat(32)), BigInt('0x' + 'f0'.repeat(32)), BigInt('0x' + '00ff'.repeat(16)), BigInt('0x' + 'ffffffff00000000'.repeat(4)),
];

function findSecret(random, good) {
  for (;;) {
    const secret = random.secretKey();
    if (good(publicKey(secret))) return secret;
  }
}

// ---- keys ----
{
  const random = new Random('sealwright keys 1');
  const secrets = edges.map(bytes);
  for (let i = 0; i < 40; i++) secrets.push(random.secretKey());
  for (let i = 1; i < 4; i++) secrets.push(concatBytes(new Uint8Array(8 * i), random.bytes(32 - 8 * i)));
  for (const start of ['00', '00', 'ff', '7f']) secrets.push(findSecret(random, (pub) => pub.startsWith(start)));
  const pairs = secrets.map((s) => ({ secret: bytesToHex(s), public: publicKey(s) }));

  const invalidSecrets = [
    ['0'.repeat(64), 'zero'],
    [hex(n), 'the group order'],
    [hex(n + 1n), 'the group order + 1'],
    [hex(n + 2n ** 128n), 'above the group order'],
    [hex(p), 'the field prime'],
    ['f'.repeat(64), '2^256 - 1'],
  ].map(([secret, why]) => {
    check(throws(() => publicKey(hexToBytes(secret))), 'noble takes the secret: ' + why);
    return { secret, why };
  });
  for (const [secret, why] of [
    ['', 'empty'],
    ['01', 'one byte'],
    [hex(1n).slice(2), '31 bytes'],
    ['00' + hex(1n), '33 bytes'],
    [hex(n - 1n).toUpperCase(), 'upper case'],
    [hex(n + 5n).toUpperCase(), 'upper case, above the order'],
    ['0x' + hex(1n).slice(2), '0x'],
    [hex(1n).slice(0, 63) + 'g', 'no hexadecimal digit'],
    [' ' + hex(1n).slice(1), 'a space'],
  ]) invalidSecrets.push({ secret, why });

  // The twist y² = x³ + 7·v³, v = 3 no square: a point (X, Y) of it has the
  // x-coordinate X/v, which lifts nowhere on the curve. Its order is
  // 2p + 2 - n; multiplying by the cofactor leaves points of small order.
  const v = 3n;
  check(Fp.pow(v, (p - 1n) / 2n) === p - 1n, '3 is a square');
  const b = Fp.create(7n * v * v * v);
  const add = (P, Q) => {
    if (!P) return Q;
    if (!Q) return P;
    if (P[0] === Q[0] && Fp.add(P[1], Q[1]) === 0n) return null;
    const m = P[0] === Q[0] ? Fp.div(Fp.mul(3n, Fp.sqr(P[0])), Fp.mul(2n, P[1])) : Fp.div(Fp.sub(Q[1], P[1]), Fp.sub(Q[0], P[0]));
    const x = Fp.sub(Fp.sub(Fp.sqr(m), P[0]), Q[0]);
    return [x, Fp.sub(Fp.mul(m, Fp.sub(P[0], x)), P[1])];
  };
  const mul = (k, P) => {
    let R = null;
    for (; k > 0n; k >>= 1n, P = add(P, P)) if (k & 1n) R = add(R, P);
    return R;
  };
  const order = 2n * p + 2n - n;
  check(order % (9n * 169n * 3319n * 22639n) === 0n, 'order of the twist');
  const lifts = (x) => !throws(() => schnorr.utils.lift_x(x));
  const invalidPublics = [];
  for (const q of [3n, 13n, 3319n, 22639n]) {
    let cofactor = order;
    while (cofactor % q === 0n) cofactor /= q;
    for (let found = 0; found < (q === 3n ? 1 : 2); ) {
      const X = word(random) % p;
      const c = Fp.create(X * X * X + b);
      if (Fp.pow(c, (p - 1n) / 2n) !== 1n) continue;
      let P = mul(cofactor, [X, Fp.sqrt(c)]);
      if (!P) continue;
      while (mul(q, P)) P = mul(q, P);
      const x = Fp.div(P[0], v);
      check(!lifts(x), 'a twist point lifts');
      invalidPublics.push({ public: hex(x), why: `on the twist, order ${q}` });
      found++;
    }
  }
  for (let i = 0; i < 12; ) {
    const x = word(random) % p;
    if (lifts(x)) continue;
    invalidPublics.push({ public: hex(x), why: 'no point of the curve' });
    i++;
  }
  for (const x of [5n, p - 1n, p - 2n, 2n ** 256n - 1n, p, p + 1n, p + 2n, p + 3n, n]) {
    if (x < p && lifts(x)) continue;
    if (x >= p) check(throws(() => secp256k1.Point.fromHex('02' + hex(x))), 'noble takes x >= p');
    invalidPublics.push({ public: hex(x), why: x < p ? 'no point of the curve, at an edge' : 'at or above the field prime' });
  }
  const good = pairs[50].public;
  for (const [text, why] of [
    ['', 'empty'],
    [good.slice(2), '31 bytes'],
    [good + '00', '33 bytes'],
    ['02' + good, 'compressed'],
    ['04' + good + good, 'uncompressed'],
    [good.toUpperCase(), 'upper case'],
    [good.slice(0, 63) + ' ', 'a space'],
    ['npub1' + good.slice(5), 'no hexadecimal digit'],
  ]) invalidPublics.push({ public: text, why });
  write('keys.json', { pairs, invalid_secrets: invalidSecrets, invalid_publics: invalidPublics });
}

// ---- ECDH and conversation keys ----
{
  const random = new Random('sealwright conversation 1');
  const cases = [];
  const shared = (a, B) => bytesToHex(secp256k1.getSharedSecret(a, hexToBytes('02' + B)).subarray(1));
  const one = (a, b, why) => {
    const [A, B] = [publicKey(a), publicKey(b)];
    const ck = bytesToHex(nip44.v2.utils.getConversationKey(a, B));
    check(ck === bytesToHex(nip44.v2.utils.getConversationKey(b, A)), 'roles');
    check(shared(a, B) === shared(b, A), 'roles');
    cases.push({ secret1: bytesToHex(a), public1: A, secret2: bytesToHex(b), public2: B, shared_x: shared(a, B), conversation_key: ck, why });
  };
  const steady = random.secretKey();
  for (const e of edges) one(bytes(e), steady, 'an edge scalar');
  for (const e of [1n, 2n, n - 1n, lambda]) for (const f of [1n, 2n, n - 2n]) one(bytes(e), bytes(f), 'two edge scalars');
  for (let i = 0; i < 3; i++) {
    const s = random.secretKey();
    one(s, s, 'to oneself');
  }
  const zero = findSecret(random, (pub) => pub.startsWith('00'));
  one(zero, steady, 'a public key that begins with zero');
  for (let i = 0; i < 3; ) {
    const a = random.secretKey();
    if (!shared(a, publicKey(steady)).startsWith('00')) continue;
    one(a, steady, 'a shared x that begins with zero');
    i++;
  }
  for (let i = 0; i < 40; i++) one(random.secretKey(), random.secretKey(), 'random');
  write('conversation.json', { cases });
}

// ---- NIP-44 ----
{
  const random = new Random('sealwright nip44 1');
  const keys = Array.from({ length: 4 }, () => random.bytes(32));
  const valid = [];
  const alphabet = 'The quick brown fox, жёлтая лиса, 狐狸 🦊, ثعلب, לומד. ';
  // A long text is told by its pattern, which is repeated and cut or filled with
  // dots to its length, and a long payload by its hash: key, nonce and text
  // determine it.
  const one = (pattern, length, key, nonce, why) => {
    const plaintext = fillTo(pattern.repeat(Math.ceil(length / byteLength(pattern))), length);
    check(byteLength(plaintext) === length, 'length');
    const payload = nip44.v2.encrypt(plaintext, key, nonce);
    if (!plaintext.startsWith('\ufeff')) check(nip44.v2.decrypt(payload, key) === plaintext, 'round trip');
    const c = { conversation_key: bytesToHex(key), nonce: bytesToHex(nonce), length, plaintext_sha256: sha256Hex(plaintext) };
    if (length <= 1100) c.plaintext = plaintext;
    else c.pattern = pattern;
    if (payload.length <= 1600) c.payload = payload;
    else Object.assign(c, { payload_length: payload.length, payload_sha256: sha256Hex(payload) });
    valid.push(why ? { ...c, why } : c);
  };
  const lengths = [
    1, 2, 15, 16, 30, 31, 32, 33, 62, 63, 64, 65, 95, 96, 97, 127, 128, 129, 160, 161, 191, 192, 193, 223, 224, 225, 254, 255, 256, 257, 319, 320,
    321, 383, 384, 385, 447, 448, 449, 511, 512, 513, 639, 640, 641, 767, 768, 895, 896, 1000, 1023, 1024, 1025, 1279, 1280, 1281, 2047, 2048, 2049,
    4095, 4096, 4097, 8192, 8193, 16384, 16385, 32767, 32768, 32769, 40959, 40960, 40961, 57343, 57344, 57345, 64000, 65408, 65409, 65500, 65534,
    65535, 65536, 65537, 70000, 81920, 81921, 131072, 131073, 200000, 1048575, 1048576,
  ];
  lengths.forEach((length, i) => one(i % 3 ? 'abcdefghijklmnopqrstuvwxyz0123456789' : alphabet, length, keys[i % 4], random.bytes(32)));
  one('x', 1, keys[0], new Uint8Array(32), 'a nonce of zeros');
  one('x', 100, keys[1], new Uint8Array(32).fill(255), 'a nonce of ones');
  one('x', 33, new Uint8Array(32), random.bytes(32), 'a key of zeros');
  one('x', 33, new Uint8Array(32).fill(255), random.bytes(32), 'a key of ones');
  one('\u0000', 40, keys[2], random.bytes(32), 'NUL bytes');
  one('\ufefftext', 7, keys[2], random.bytes(32), 'a byte order mark');
  for (const text of [...paragraphs, '👩‍👩‍👧‍👦', 'e\u0301\u0323', '\u{10ffff}\ufffe\uffff\ufffd', '&<>"\'\\/\u2028\u2029\u007f', '\r\n\t\b\f']) one(text, byteLength(text), keys[3], random.bytes(32), 'text');
  for (const text of ['界', '🐝', 'ж', 'é🐝語']) one(text, 30000, keys[3], random.bytes(32), 'long text');

  // Payloads that must be refused, and for which of these reasons.
  const invalid = [];
  const [key] = keys;
  const raw = (text = 'a refused message') => base64.decode(nip44.v2.encrypt(text, key, random.bytes(32)));
  const authentic = (block) => {
    const nonce = random.bytes(32);
    const k = expand(sha256, key, nonce, 76);
    const ct = block.length ? chacha20(k.slice(0, 32), k.slice(32, 44), block) : block;
    return base64.encode(concatBytes(new Uint8Array([2]), nonce, ct, hmac(sha256, k.slice(44, 76), concatBytes(nonce, ct))));
  };
  const refuse = (payload, errors, why) => {
    check(why === 'invalid UTF-8' || throws(() => nip44.v2.decrypt(payload, key)), 'nostr-tools takes: ' + why);
    invalid.push({ conversation_key: bytesToHex(key), payload, errors: [errors].flat(), why });
  };
  const prefix16 = (l, size) => {
    const b = new Uint8Array(size);
    new DataView(b.buffer).setUint16(0, l);
    return b.fill(0x61, 2);
  };
  const prefix32 = (l, size) => {
    const b = new Uint8Array(size);
    new DataView(b.buffer).setUint32(2, l);
    return b.fill(0x61, 6);
  };
  for (const i of [1, 16, 32, 33, 34, 66]) {
    const r = raw();
    r[i] ^= 1;
    refuse(base64.encode(r), 'mac', `bit 0 of byte ${i}`);
  }
  for (let i = 1; i <= 32; i++) {
    const r = raw();
    r[r.length - i] ^= 0x80;
    refuse(base64.encode(r), 'mac', `bit 7 of the byte ${i} before the end`);
  }
  refuse(nip44.v2.encrypt('for somebody else', keys[1], random.bytes(32)), 'mac', 'another key');
  for (const v of [0, 1, 3, 4, 127, 128, 255]) {
    const r = raw();
    r[0] = v;
    refuse(base64.encode(r), 'version', `version byte ${v}`);
  }
  const good = nip44.v2.encrypt('a refused message', key, random.bytes(32));
  check(good.length === 132 && !good.endsWith('='), 'form of the sample');
  refuse('', ['version'], 'empty');
  refuse('#', 'version', '#');
  refuse('#' + good.slice(1), 'version', '# and a payload');
  refuse('#a future format, with no base64 at all', 'version', '# and text');
  refuse('Ag==', 'too_short', 'four characters');
  refuse(good.slice(0, 128), 'too_short', 'one quantum missing');
  refuse(good.slice(0, 131), ['too_short', 'base64'], 'one character missing');
  refuse(good + '=', ['base64', 'length'], 'one character of padding too many');
  refuse(good + '====', ['base64', 'length'], 'a quantum of padding');
  refuse(good.slice(0, 130) + '==', ['base64', 'too_short', 'length'], 'padding for the last two characters');
  for (const c of ['-', '_', '!', ' ', '\n', '\r', '\t', '\0', '=', '.', 'é']) {
    if (byteLength(c) === 1) refuse(good.slice(0, 70) + c + good.slice(71), 'base64', `${JSON.stringify(c)} inside`);
    else refuse(good.slice(0, 70) + c + good.slice(72), 'base64', `${JSON.stringify(c)} inside`);
  }
  refuse(good + '\n', ['base64', 'length'], 'a line feed behind');
  refuse(good.slice(0, 76) + '\r\n' + good.slice(76), ['base64', 'length'], 'lines as in mail');
  {
    const padded = nip44.v2.encrypt('x'.repeat(33), key, random.bytes(32)); // 131 bytes: one '='
    check(padded.endsWith('=') && !padded.endsWith('=='), 'form of the sample');
    refuse(padded.slice(0, -1), ['base64', 'length'], 'padding left out');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    for (const d of [1, 2, 3]) refuse(padded.slice(0, -2) + letters[letters.indexOf(padded.at(-2)) + d] + '=', 'base64', `spare bits ${d}`);
  }
  refuse('Zm9vYmFy?iv=Zm9vYmFyZm9vYmFyZm9vYg==', 'legacy', 'NIP-04');
  for (const size of [0, 1, 2, 5, 6, 33]) refuse(authentic(new Uint8Array(size).fill(0)), ['too_short', 'length', 'padding'], `an authentic block of ${size} zeros`);
  for (const size of [35, 50, 67, 97, 2 + 288, 6 + 32, 6 + 65536 - 8192]) refuse(authentic(prefix16(20, size)), ['length', 'padding'], `an authentic block of ${size} bytes, which no padding makes`);
  refuse(authentic(prefix16(0, 34)), 'padding', 'length 0');
  for (const [l, size] of [[33, 34], [1, 66], [32, 66], [64, 98], [257, 2 + 256], [65535, 34], [256, 2 + 320], [32768, 2 + 40960]]) refuse(authentic(prefix16(l, size)), 'padding', `length ${l} in a block of ${size}`);
  for (const l of [0, 1, 32, 65535, 65537, 2 ** 31, 2 ** 32 - 1]) {
    // Too long to print: key, nonce, and a block of which the first six bytes
    // are 00 00 and the length and the rest is 'a', determine the payload.
    const block = prefix32(l, 6 + 65536);
    const payload = authentic(block);
    check(throws(() => nip44.v2.decrypt(payload, key)), 'nostr-tools takes an extended length');
    const nonce = bytesToHex(base64.decode(payload).subarray(1, 33));
    invalid.push({ conversation_key: bytesToHex(key), nonce, extended_length: l, block_size: block.length, payload_sha256: sha256Hex(payload), errors: ['padding'], why: `extended length ${l} in a block for 65536` });
  }
  for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]]) {
    const b = new Uint8Array(34);
    b[1] = bad.length + 2;
    b[2] = 0x61;
    b.set(bad, 3);
    b[3 + bad.length] = 0x62;
    refuse(authentic(b), 'utf8', 'invalid UTF-8');
  }

  const padded = [];
  for (let i = 1; i <= 1100; i += i < 70 ? 1 : 37) padded.push(i);
  for (let k = 8; k <= 32; k++) for (const m of [1, 1.25, 1.5, 1.75]) for (const d of [-1, 0, 1]) padded.push(m * 2 ** k + d);
  const table = [...new Set(padded)].filter((l) => l <= 2 ** 32 - 1).sort((a, b) => a - b).map((l) => [l, nip44.v2.utils.calcPaddedLen(l)]);
  write('nip44.json', { valid, invalid, padded_lengths: table });
}

// ---- BIP-340 ----
{
  const random = new Random('sealwright bip340 1');
  const signed = [];
  const one = (secret, message, aux) => {
    const signature = schnorr.sign(message, secret, aux);
    check(schnorr.verify(signature, message, hexToBytes(publicKey(secret))), 'verify');
    signed.push({ secret: bytesToHex(secret), public: publicKey(secret), aux: bytesToHex(aux), message: bytesToHex(message), signature: bytesToHex(signature) });
  };
  for (const e of edges) one(bytes(e), random.bytes(32), random.bytes(32));
  for (let i = 0; i < 40; i++) one(random.secretKey(), random.bytes(32), random.bytes(32));
  for (const aux of [new Uint8Array(32), new Uint8Array(32).fill(255)]) for (const m of [new Uint8Array(32), new Uint8Array(32).fill(255)]) one(random.secretKey(), m, aux);
  for (const l of [0, 1, 2, 17, 31, 33, 54, 55, 56, 63, 64, 65, 100, 119, 120, 128, 183, 184, 1000]) one(random.secretKey(), random.bytes(l), random.bytes(32));
  for (const start of ['00', '00']) one(findSecret(random, (pub) => pub.startsWith(start)), random.bytes(32), random.bytes(32));

  const invalid = [];
  const refuse = (pub, message, signature, why) => {
    check(!schnorr.verify(hexToBytes(signature), hexToBytes(message), hexToBytes(pub)), 'noble accepts: ' + why);
    invalid.push({ public: pub, message, signature, why });
  };
  const challenge = (r, pub, m) => BigInt('0x' + bytesToHex(schnorr.utils.taggedHash('BIP0340/challenge', r, pub, m))) % n;
  const sample = (i) => signed[45 + i];
  for (let i = 0; i < 16; i++) {
    const s = sample(i);
    refuse(s.public, s.message, tamperHex(s.signature, 8 * i), `digit ${8 * i} of the signature`);
    refuse(s.public, tamperHex(s.message, 4 * i), s.signature, `digit ${4 * i} of the message`);
  }
  for (let i = 0; i < 4; i++) refuse(sample(i + 1).public, sample(i).message, sample(i).signature, 'the key of another');
  for (let i = 0; i < 4; i++) {
    const s = sample(i);
    const r = s.signature.slice(0, 64);
    const sv = BigInt('0x' + s.signature.slice(64));
    refuse(s.public, s.message, r + hex(n - sv), 's negated');
    refuse(s.public, s.message, hex(sv) + r, 'halves swapped');
    refuse(s.public, s.message + '00', s.signature, 'a message one byte longer');
    refuse(s.public, s.message.slice(2), s.signature, 'a message one byte shorter');
    for (const [v, why] of [[n, 'n'], [n + 1n, 'n + 1'], [2n ** 256n - 1n, '2^256 - 1'], [0n, '0']]) refuse(s.public, s.message, r + hex(v), 's is ' + why);
    for (const [v, why] of [[p, 'p'], [p + 1n, 'p + 1'], [2n ** 256n - 1n, '2^256 - 1'], [0n, '0'], [5n, '5, no point of the curve']]) refuse(s.public, s.message, hex(v) + s.signature.slice(64), 'r is ' + why);

    // With d, signatures that only one of the three tests on R refuses.
    let d = BigInt('0x' + s.secret);
    if (secp256k1.Point.BASE.multiply(d).y & 1n) d = n - d;
    const pub = hexToBytes(s.public);
    const m = hexToBytes(s.message);
    let k = word(random) % n;
    let R = secp256k1.Point.BASE.multiply(k);
    if (!(R.y & 1n)) k = n - k;
    R = secp256k1.Point.BASE.multiply(k);
    check(R.y & 1n, 'an odd y');
    let e = challenge(bytes(R.x), pub, m);
    refuse(s.public, s.message, hex(R.x) + hex((k + e * d) % n), 'R has odd y');
    for (const x of [R.x, 1n, 0n]) {
      e = challenge(bytes(x), pub, m);
      refuse(s.public, s.message, hex(x) + hex((e * d) % n), `R is infinite, r is ${x < 2n ? x : 'some x'}`);
    }
  }
  for (const x of [0n, 5n, p, p + 1n, 2n ** 256n - 1n]) {
    if (x < p && !throws(() => schnorr.utils.lift_x(x))) throw new Error('generator: x lifts');
    refuse(hex(x), sample(0).message, sample(0).signature, 'a public key that does not lift');
  }
  write('bip340.json', { signed, invalid });
}

// ---- NIP-01 ----
{
  const random = new Random('sealwright event 1');
  const secret = random.secretKey();
  const valid = [];
  const one = (why, { kind = 1, created_at = 1767258000, tags = [], content = '' }, { spell = JSON.stringify, by = secret, long = false } = {}) => {
    const e = sign({ kind, created_at, tags, content }, by, random.bytes(32));
    check(verifies(e), 'verify');
    const json = spell(e);
    check(getEventHash(JSON.parse(json)) === e.id, 'spelling changes the event');
    const preimage = serializeEvent(e);
    check(sha256Hex(preimage) === e.id, 'the id is the hash of the preimage');
    valid.push({ why, compact: spell === JSON.stringify, json, id: e.id, ...(long ? { preimage_length: byteLength(preimage) } : { preimage }) });
  };
  const awkward = {
    'ampersand and angle brackets': '<a href="x">&amp;</a>',
    'line and paragraph separator': 'a\u2028b\u2029c',
    'slash': '/a/b\\/c',
    'delete': 'a\u007fb',
    'C1 controls': '\u0080\u0085\u009f',
    'the seven escapes': '\n"\\\r\t\b\f',
    'backslashes': '\\\\\\ \\" \\u0041 \\n',
    'quotes': '"\'`""',
    'emoji': '🐝👩🏽‍🌾🏳️‍🌈🇳🇬1️⃣',
    'combining': 'e\u0301 \u00e9 k̷̛̭e̸͎͝',
    'byte order mark': '\ufeffa\ufeff',
    'noncharacters': '\ufffe\uffff\ufffd\u{1fffe}\u{10ffff}',
    'private use': '\ue000\uf8ff\u{f0000}',
    'bidi': '\u202eabc\u202c \u2066אבג\u2069 \u200e\u200f',
    'zero width': '\u200b\u200c\u200d\u2060\u00ad',
    'spaces': '\u00a0\u1680\u2003\u3000',
    'borders of UTF-8': '\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}',
    'JSON': '{"a":[1,2,{"b":null}],"c":"\\""}',
    'NUL': 'a\u0000b',
  };
  for (let c = 0; c < 32; c++) awkward[`control ${c}`] = `<${String.fromCharCode(c)}>`;
  for (const [why, text] of Object.entries(awkward)) one(why, { content: text, tags: [['t', text], [text, '', text + text]] });
  const everything = Object.values(awkward).join('');
  one('everything', { content: everything, tags: [['t', everything]] });
  for (const [name, spell] of Object.entries(spellings)) {
    one('spelled: ' + name, { content: everything, tags: [['t', everything], ['e', '0'.repeat(64)]] }, { spell });
  }
  one('nested 32 deep', {}, { spell: (e) => JSON.stringify(e).replace('{', '{"x":' + '['.repeat(31) + ']'.repeat(31) + ',') });
  // Runs of each length before one character that needs care.
  for (let i = 0; i <= 40; i++) one(`run of ${i}`, { content: 'x'.repeat(i) + '"' + 'é'.repeat(i % 5) + '\n' + 'y'.repeat(40 - i) });
  for (const kind of [0, 1, 3, 13, 14, 1059, 10050, 21059, 30023, 65535]) one(`kind ${kind}`, { kind });
  for (const t of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1]) one(`created_at ${t}`, { created_at: t });
  one('an empty string in a tag', { tags: [[''], ['', ''], ['a', '']] });
  one('many tags', { tags: Array.from({ length: 200 }, (_, i) => ['p', hex(BigInt(i))]) });
  one('a long tag', { tags: [Array.from({ length: 300 }, (_, i) => String(i))] });
  for (const e of [1n, 2n, n - 1n, lambda]) one('an edge scalar signs', { content: 'signed' }, { by: bytes(e) });
  one('a key that begins with zero', { content: 'signed' }, { by: findSecret(random, (pub) => pub.startsWith('00')) });
  one('64,000 bytes', { content: 'a'.repeat(64000) }, { long: true });
  one('30,000 bytes of text', { content: fillTo(paragraphs.join('\n').repeat(20), 30000) }, { long: true });

  // Events that parse and do not verify.
  const refused = [];
  const refuse = (why, event, error) => {
    check(!verifies(event), 'nostr-tools verifies: ' + why);
    refused.push({ why, json: JSON.stringify(event), error });
  };
  const base = () => sign({ kind: 1, created_at: 1767258000, tags: [['t', 'x']], content: 'the words' }, secret, random.bytes(32));
  const other = publicKey(random.secretKey());
  for (const i of [0, 31, 63]) refuse(`digit ${i} of the id`, { ...base(), id: tamperHex(base().id, i) }, 'id');
  refuse('other content', { ...base(), content: 'the word' }, 'id');
  refuse('other time', { ...base(), created_at: 1767258001 }, 'id');
  refuse('other kind', { ...base(), kind: 2 }, 'id');
  refuse('other tags', { ...base(), tags: [['t', 'y']] }, 'id');
  refuse('another author under the same id', { ...base(), pubkey: other }, 'id');
  const rehash = (e) => ({ ...e, id: getEventHash(e) });
  refuse('other content, true id', rehash({ ...base(), content: 'the word' }), 'signature');
  refuse('another author, true id', rehash({ ...base(), pubkey: other }), 'signature');
  for (const i of [0, 63, 64, 127]) refuse(`digit ${i} of the signature`, { ...base(), sig: tamperHex(base().sig, i) }, 'signature');
  refuse('a signature of zeros', { ...base(), sig: '0'.repeat(128) }, 'signature');
  for (const x of [0n, 5n, p]) refuse('a key that does not lift', rehash({ ...base(), pubkey: hex(x) }), 'public_key');
  {
    // The signature is true over the claimed id, which is not the hash.
    const e = base();
    e.id = sha256Hex('something else');
    e.sig = bytesToHex(schnorr.sign(hexToBytes(e.id), secret, random.bytes(32)));
    refuse('signed over a claimed id', e, 'id');
  }

  // Texts that are no event. nostr-tools leaves all of this to JSON.parse.
  const e = base();
  const text = JSON.stringify(e);
  const swap = (from, to) => {
    check(text.includes(from), 'swap ' + from);
    return text.replace(from, () => to);
  };
  const malformed = [
    ['', 'empty'],
    ['{}', 'no fields'],
    ['[' + text + ']', 'an array'],
    [text + text, 'two events'],
    [text + 'x', 'trailing text'],
    ['\ufeff' + text, 'a byte order mark'],
    [text.slice(0, -1), 'cut'],
    [swap('the words', 'the \n words'), 'a raw line feed'],
    [swap('the words', 'the \t words'), 'a raw tab'],
    [swap('the words', 'the \\x words'), 'an unknown escape'],
    [swap('the words', 'the \\u12g4 words'), 'a bad escape'],
    [JSON.stringify({ ...e, content: 'high \ud83d alone' }), 'a lone high surrogate, as JSON.stringify prints it'],
    [JSON.stringify({ ...e, content: 'low \udc1d alone' }), 'a lone low surrogate'],
    [swap('the words', '\\ud83d\\u0041'), 'a high surrogate before a letter'],
    [swap('the words', '\\udc1d\\ud83d'), 'surrogates in the wrong order'],
    [JSON.stringify({ ...e, tags: [['t', '\ud800']] }), 'a lone surrogate in a tag'],
    [JSON.stringify({ ...e, content: { a: 1 } }), 'content is an object'],
    [JSON.stringify({ ...e, content: null }), 'content is null'],
    [JSON.stringify({ ...e, content: 1 }), 'content is a number'],
    [JSON.stringify({ ...e, tags: [['t', null]] }), 'null in a tag'],
    [JSON.stringify({ ...e, tags: [['t', 1]] }), 'a number in a tag'],
    [JSON.stringify({ ...e, tags: ['t'] }), 'a tag is a string'],
    [JSON.stringify({ ...e, tags: [[]] }), 'an empty tag'],
    [JSON.stringify({ ...e, tags: null }), 'tags are null'],
    [JSON.stringify({ ...e, kind: -1 }), 'kind -1'],
    [JSON.stringify({ ...e, kind: 65536 }), 'kind 65536'],
    [JSON.stringify({ ...e, kind: 1.5 }), 'kind 1.5'],
    [swap('"kind":1', '"kind":1.0'), 'kind 1.0'],
    [swap('"kind":1', '"kind":1e0'), 'kind 1e0'],
    [swap('"kind":1', '"kind":01'), 'kind 01'],
    [swap('"kind":1', '"kind":+1'), 'kind +1'],
    [swap('"kind":1', '"kind":true'), 'kind true'],
    [JSON.stringify({ ...e, created_at: -1 }), 'created_at -1'],
    [JSON.stringify({ ...e, created_at: 2 ** 53 }), 'created_at 2^53'],
    [swap('1767258000', '99999999999999999999999999'), 'created_at of 26 digits'],
    [swap('1767258000', '"1767258000"'), 'created_at is a string'],
    [JSON.stringify({ ...e, id: e.id.toUpperCase() }), 'upper-case id'],
    [JSON.stringify({ ...e, pubkey: e.pubkey.toUpperCase() }), 'upper-case pubkey'],
    [JSON.stringify({ ...e, sig: e.sig.toUpperCase() }), 'upper-case sig'],
    [JSON.stringify({ ...e, id: e.id.slice(1) }), 'a short id'],
    [JSON.stringify({ ...e, pubkey: e.pubkey + '0' }), 'a long pubkey'],
    [JSON.stringify({ ...e, sig: e.sig.slice(0, 64) }), 'a short sig'],
    [swap('"kind"', '"Kind"'), 'Kind'],
    [swap('"content"', '"CONTENT"'), 'CONTENT'],
    [swap('"kind":1', '"kind":1,"kind":1'), 'kind twice'],
    [swap('"kind":1', '"kind":1,"\\u006bind":1'), 'kind twice, once escaped'],
    [swap('"id"', '"id":"","id"'), 'id twice'],
    [swap('"kind":1', '"kind":1,"x":' + '['.repeat(32) + ']'.repeat(32)), 'nested 33 deep'],
    [swap('"kind":1', '"kind":1,"x":nul'), 'an unknown key with no JSON value'],
    [swap('"kind":1', '"kind":1,'), 'two commas'],
    [swap('}', ',}'), 'a comma before the end'],
    ["{'id':1}", 'single quotes'],
    ['// comment\n' + text, 'a comment'],
    ...['id', 'pubkey', 'created_at', 'kind', 'tags', 'content', 'sig'].map((k) => [JSON.stringify({ ...e, [k]: undefined }), k + ' missing']),
  ].map(([json, why]) => ({ why, json }));
  write('event.json', { valid, refused, malformed });
}

// ---- NIP-59 ----
{
  const random = new Random('sealwright nip59 1');
  const chains = [];
  const recipient = random.secretKey();
  const to = publicKey(recipient);
  const one = (why, o = {}) => {
    const author = o.author ?? random.secretKey();
    const oneTime = o.oneTime ?? random.secretKey();
    const target = o.recipient ?? recipient;
    const pub = publicKey(target);
    const created_at = 1767258000 + random.below(1e6);
    const r = rumor(publicKey(author), { kind: 14, created_at, tags: [['p', pub]], content: 'Chain: ' + why, ...o.rumor });
    const [sealNonce, wrapNonce] = [random.bytes(32), random.bytes(32)];
    const rumorJSON = (o.spell ?? JSON.stringify)(r);
    const s = seal(rumorJSON, author, pub, created_at - random.below(172800), random, { nonce: sealNonce, tags: o.sealTags });
    const sealJSON = (o.spell ?? JSON.stringify)(s);
    const w = wrap(sealJSON, oneTime, pub, created_at - random.below(172800), random, { nonce: wrapNonce, kind: o.kind, tags: o.wrapTags && [['p', pub], ...o.wrapTags] });
    const back = nip59.unwrapEvent({ ...w, kind: 1059 }, target);
    check(back.id === r.id, 'nostr-tools does not open the chain: ' + why);
    chains.push({
      why,
      author: bytesToHex(author),
      one_time: bytesToHex(oneTime),
      recipient: bytesToHex(target),
      rumor: r,
      rumor_json: rumorJSON,
      seal_nonce: bytesToHex(sealNonce),
      seal_json: sealJSON,
      wrap_nonce: bytesToHex(wrapNonce),
      wrap_json: JSON.stringify(w),
    });
  };
  one('durable');
  one('ephemeral', { kind: 21059 });
  one('one byte', { rumor: { content: 'x' } });
  one('empty content', { rumor: { kind: 5, content: '', tags: [['e', '0'.repeat(64)]] } });
  one('no tags', { rumor: { tags: [] } });
  one('to oneself', { author: recipient });
  one('awkward text', { rumor: { content: '<&>"\\/\u2028\u2029\u0000\u001f\u007f\ufeff🐝' + paragraphs.join('\n') } });
  for (const [name, spell] of Object.entries(spellings)) one('spelled: ' + name, { spell, rumor: { content: 'Spelled <otherwise> / & \u2028 é 🐝' } });
  one('edge scalars', { author: bytes(1n), oneTime: bytes(2n), recipient: bytes(n - 1n) });
  one('keys that begin with zero', { author: findSecret(random, (pub) => pub.startsWith('00')), oneTime: findSecret(random, (pub) => pub.startsWith('00')) });
  one('expiration on both layers', { sealTags: [['expiration', '1800000000']], wrapTags: [['expiration', '1800000000'], ['nonce', '1', '0']] });
  one('a rumor of 40,960 bytes', { rumor: { content: fillTo('a', 40960 - byteLength(JSON.stringify(rumor(to, { created_at: 1767258000, tags: [['p', to]], content: '' })))) } });
  one('a rumor of 40,961 bytes', { rumor: { content: fillTo('a', 40961 - byteLength(JSON.stringify(rumor(to, { created_at: 1767258000, tags: [['p', to]], content: '' })))) } });
  check(chains.at(-2).rumor_json.length === 40960 && chains.at(-1).rumor_json.length === 40961, 'length of the rumor');
  check(JSON.parse(chains.at(-2).wrap_json).content.length <= 87472 && JSON.parse(chains.at(-1).wrap_json).content.length > 87472, 'the limit of legacy peers');

  // nostr-tools alone, start to end, with the platform's clock and randomness
  // replaced.
  const whole = [];
  for (let i = 0; i < 12; i++) {
    clock.now = 1767258000 + 1000 * i;
    const author = random.secretKey();
    const wraps = nip59.wrapManyEvents({ kind: 14, tags: [['p', to]], content: paragraphs[i] }, author, [to]);
    for (const [w, key] of [[wraps[0], author], [wraps[1], recipient]]) {
      const r = nip59.unwrapEvent(w, key);
      check(r.content === paragraphs[i], 'nostr-tools');
      whole.push({ author: publicKey(author), recipient: bytesToHex(key), rumor: r, seal_json: decrypt(w.content, key, w.pubkey), wrap_json: JSON.stringify(w) });
    }
  }
  write('nip59.json', { chains, library: whole });
}
