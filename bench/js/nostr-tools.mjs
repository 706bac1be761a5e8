// nostr-tools: JavaScript, with noble's curve, ciphers and hashes. It keeps no
// conversation keys and no precomputed peers, so nothing is warm but the code.

import * as nip44 from 'nostr-tools/nip44';
import * as nip59 from 'nostr-tools/nip59';
import { finalizeEvent, getPublicKey, verifyEvent } from 'nostr-tools/pure';
import { bytesToHex, hexToBytes } from 'nostr-tools/utils';

import { forge, refused, same } from './check.mjs';

export default function nostrTools(inputs) {
  const { alice, bob, people } = inputs;
  const secret = hexToBytes(alice.secret);
  const derive = (i) => nip44.getConversationKey(secret, people[i].pub);

  const verify = (text) => verifyEvent(JSON.parse(text));
  const mustVerify = (text) => same(verify(text), true);

  // unwrapEvent does not look at the signature of the wrap.
  const own = hexToBytes(bob.secret);
  const unwrap = (text) => {
    const wrap = JSON.parse(text);
    if (!verifyEvent(wrap)) throw new Error('the wrap does not verify');
    return nip59.unwrapEvent(wrap, own);
  };

  const rows = {
    Import() {
      let pub;
      return {
        op: () => (pub = getPublicKey(hexToBytes(alice.secret))),
        check: () => same(pub, alice.pub),
      };
    },
    ConversationKey() {
      let key;
      return {
        inputs: people.length,
        op: (i) => (key = derive(i)),
        check: (i) => same(bytesToHex(key), inputs.conversationKeys[i]),
      };
    },
    Encrypt({ len, key }) {
      const text = inputs.messages[len];
      const kept = derive(0);
      let payload;
      const check = (i, judge) => same(judge.decrypt(payload, people[i]), text);
      if (key === 'cached') return { op: () => (payload = nip44.encrypt(text, kept)), check };
      return { inputs: people.length, op: (i) => (payload = nip44.encrypt(text, derive(i))), check };
    },
    Decrypt({ len, key }) {
      const payloads = inputs.payloads[len];
      const kept = derive(0);
      let text;
      const check = () => same(text, inputs.messages[len]);
      if (key === 'cached') return { op: () => (text = nip44.decrypt(payloads[0], kept)), check };
      return { inputs: people.length, op: (i) => (text = nip44.decrypt(payloads[i], derive(i))), check };
    },
    Sign() {
      const template = JSON.parse(inputs.note);
      let event;
      return {
        op: () => (event = finalizeEvent({ ...template }, secret)),
        check: (i, judge) => judge.verify(JSON.stringify(event)),
      };
    },
    Verify() {
      return {
        inputs: people.length,
        op: (i) => mustVerify(inputs.notes[i]),
        check(i) {
          for (const text of inputs.changed[i]) same(verify(text), false);
        },
      };
    },
    VerifyAll({ n }) {
      return {
        events: n,
        op() {
          for (let i = 0; i < n; i++) mustVerify(inputs.notes[i % people.length]);
        },
        check: () => same(verify(inputs.changed[0][0]), false),
      };
    },
    Wrap({ len }) {
      const rumor = JSON.parse(inputs.rumors[len]);
      let wrap;
      return {
        op: () => (wrap = nip59.createWrap(nip59.createSeal(rumor, secret, bob.pub), bob.pub)),
        async check(i, judge) {
          // Only nostr-tools itself opens the longest.
          const { sender, content } = await (judge.opens(len) ? judge : ownJudge).open(JSON.stringify(wrap));
          same(sender, alice.pub);
          same(content, inputs.messages[len]);
        },
      };
    },
    Unwrap: ({ len }) => unwraps(len, 1),
    UnwrapAll: ({ n }) => unwraps(32, n),
  };

  function unwraps(len, n) {
    const texts = inputs.wraps[len];
    let rumor;
    return {
      inputs: Math.floor(texts.length / n),
      events: n,
      op(i) {
        for (let j = i * n; j < (i + 1) * n; j++) rumor = unwrap(texts[j]);
      },
      async check() {
        same(rumor.pubkey, alice.pub);
        same(rumor.content, inputs.messages[len]);
        await refused(() => unwrap(forge(texts)), 'the wrap does not verify');
      },
    };
  }

  const ownJudge = {
    decrypt: (payload, from) => nip44.decrypt(payload, nip44.getConversationKey(secret, from.pub)),
    verify: mustVerify,
    opens: () => true,
    open(text) {
      const rumor = unwrap(text);
      return { sender: rumor.pubkey, content: rumor.content };
    },
  };
  return { impl: 'nostr-tools', package: 'nostr-tools', rows, judge: ownJudge };
}
