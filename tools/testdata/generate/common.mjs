// What both generators share: seeded randomness, and events built from
// nostr-tools and noble with every random value given.

import { schnorr } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { getEventHash, getPublicKey, verifyEvent } from 'nostr-tools/pure';
import * as nip44 from 'nostr-tools/nip44';

export { bytesToHex, concatBytes, hexToBytes, sha256, schnorr, utf8ToBytes };

export const sha256Hex = (data) => bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));
export const byteLength = (text) => utf8ToBytes(text).length;

export function check(condition, what) {
  if (!condition) throw new Error('generator: ' + what);
}

export function throws(f) {
  try {
    f();
  } catch {
    return true;
  }
  return false;
}

// Random yields SHA-256(seed ‖ counter) blocks. It is a source of test data,
// not of secrets.
export class Random {
  constructor(seed) {
    this.seed = utf8ToBytes(seed);
    this.counter = 0;
    this.left = new Uint8Array(0);
  }
  bytes(n) {
    while (this.left.length < n) {
      const c = new Uint8Array(4);
      new DataView(c.buffer).setUint32(0, this.counter++);
      this.left = concatBytes(this.left, sha256(concatBytes(this.seed, c)));
    }
    const out = this.left.slice(0, n);
    this.left = this.left.slice(n);
    return out;
  }
  // below returns an integer in 0…n-1, n < 2^32.
  below(n) {
    const b = this.bytes(4);
    return new DataView(b.buffer).getUint32(0) % n;
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  secretKey() {
    return this.bytes(32); // out of range once in 2^128
  }
  shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
}

// seedSystem replaces what nostr-tools asks the platform for, so that its own
// functions of NIP-59 can be called as they are and still print the same bytes
// each time. Call it before anything random, and only in a generator.
export function seedSystem(random) {
  const clock = { now: 0 };
  Object.defineProperty(globalThis.crypto, 'getRandomValues', {
    value: (array) => {
      array.set(random.bytes(array.length));
      return array;
    },
  });
  Math.random = () => random.below(2 ** 32 - 1) / 2 ** 32;
  Date.now = () => clock.now * 1000;
  return clock;
}

export const publicKey = (secret) => getPublicKey(secret);

// sign completes template {kind, created_at, tags, content} like nostr-tools'
// finalizeEvent, with the auxiliary randomness given.
export function sign(template, secret, aux) {
  const event = {
    id: '',
    pubkey: getPublicKey(secret),
    created_at: template.created_at,
    kind: template.kind,
    tags: template.tags,
    content: template.content,
    sig: '',
  };
  event.id = getEventHash(event);
  event.sig = bytesToHex(schnorr.sign(hexToBytes(event.id), secret, aux));
  return event;
}

// verifies asks nostr-tools, past the result that it caches in the object.
export const verifies = (event) => verifyEvent(JSON.parse(JSON.stringify(event)));

export function rumor(author, { kind = 14, created_at, tags = [], content }) {
  const r = { id: '', pubkey: author, created_at, kind, tags, content };
  r.id = getEventHash(r);
  return r;
}

export const encrypt = (text, secret, peer, nonce) =>
  nip44.v2.encrypt(text, nip44.v2.utils.getConversationKey(secret, peer), nonce);
export const decrypt = (payload, secret, peer) =>
  nip44.v2.decrypt(payload, nip44.v2.utils.getConversationKey(secret, peer));

export const seal = (text, from, to, created_at, random, { kind = 13, tags = [], nonce = random.bytes(32) } = {}) =>
  sign({ kind, created_at, tags, content: encrypt(text, from, to, nonce) }, from, random.bytes(32));

export const wrap = (text, oneTime, to, created_at, random, { kind = 1059, tags = [['p', to]], nonce = random.bytes(32) } = {}) =>
  sign({ kind, created_at, tags, content: encrypt(text, oneTime, to, nonce) }, oneTime, random.bytes(32));

// The forms of one JSON text that a strict reader takes: every legal spelling
// decodes to the same value.
export const spellings = {
  compact: (v) => JSON.stringify(v),
  pretty: (v) => JSON.stringify(v, null, 2),
  tabs: (v) => ' \n\t' + JSON.stringify(v, null, '\t').replaceAll('\n', '\r\n') + '\r\n ',
  ascii: (v) => JSON.stringify(v).replace(/[\u007f-\uffff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')),
  html: (v) => JSON.stringify(v).replace(/[<>&\u2028\u2029/]/g, (c) => (c === '/' ? '\\/' : '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase())),
  reversed: (v) => JSON.stringify(Object.fromEntries(Object.entries(v).reverse())),
  extra: (v) => JSON.stringify({ client: { name: 'x', list: [1, -2.5e3, null, true, { a: [] }] }, ...v, seen: ['wss://relay.example'], relay_count: 2 }),
};

// fillTo cuts or fills text to exactly n bytes of UTF-8.
export function fillTo(text, n) {
  let out = '';
  let size = 0;
  for (const c of text) {
    const s = byteLength(c);
    if (size + s > n) break;
    out += c;
    size += s;
  }
  return out + '.'.repeat(n - size);
}

export function tamperHex(hex, i = hex.length - 1) {
  const digit = (parseInt(hex[i], 16) ^ 1).toString(16);
  return hex.slice(0, i) + digit + hex.slice(i + 1);
}
