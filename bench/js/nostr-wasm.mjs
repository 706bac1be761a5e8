// nostr-wasm: libsecp256k1 compiled to WebAssembly, for keys, signing and
// verifying only.

import { bytesToHex, hexToBytes } from 'nostr-tools/utils';
import { initNostrWasm } from 'nostr-wasm';

import { refused, same } from './check.mjs';

export default async function nostrWasm(inputs) {
  const { alice, people } = inputs;
  const lib = await initNostrWasm();
  const secret = hexToBytes(alice.secret);
  const verify = (text) => lib.verifyEvent(JSON.parse(text)); // throws

  const rows = {
    Import() {
      let pub;
      return {
        op: () => (pub = lib.getPublicKey(hexToBytes(alice.secret))),
        check: () => same(bytesToHex(pub), alice.pub),
      };
    },
    Sign() {
      const template = JSON.parse(inputs.note);
      let event;
      return {
        op() {
          event = { ...template };
          lib.finalizeEvent(event, secret);
        },
        check: (i, judge) => judge.verify(JSON.stringify(event)),
      };
    },
    Verify() {
      return {
        inputs: people.length,
        op: (i) => verify(inputs.notes[i]),
        async check(i) {
          for (const text of inputs.changed[i]) await refused(() => verify(text), ' is invalid');
        },
      };
    },
    VerifyAll({ n }) {
      return {
        events: n,
        op() {
          for (let i = 0; i < n; i++) verify(inputs.notes[i % people.length]);
        },
        check: () => refused(() => verify(inputs.changed[0][0]), 'id is invalid'),
      };
    },
  };
  return { impl: 'nostr-wasm', package: 'nostr-wasm', rows };
}
