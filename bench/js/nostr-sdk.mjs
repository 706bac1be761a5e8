// @rust-nostr/nostr-sdk: rust-nostr, with libsecp256k1, compiled to WebAssembly.
// It has no conversation keys of its own, so the rows that keep one are missing.
// Its objects live in the memory of WebAssembly, so an op frees those it makes.

import sdk from '@rust-nostr/nostr-sdk';

import { forge, refused, same } from './check.mjs';

const { Event, EventBuilder, Keys, NIP44Version, NostrSigner, PublicKey, SecretKey, UnsignedEvent, UnwrappedGift } = sdk;

// The longest message of a row whose seal fits into the NIP-44 of rust-nostr.
const maxWrapped = 1024;

export default async function nostrSDK(inputs) {
  await sdk.loadWasmAsync();
  const { alice, bob, people } = inputs;
  const secret = SecretKey.parse(alice.secret);
  const aliceSigner = NostrSigner.keys(Keys.parse(alice.secret));
  const bobSigner = NostrSigner.keys(Keys.parse(bob.secret));

  const encrypt = (to, text) => {
    const peer = PublicKey.parse(to);
    try {
      return sdk.nip44Encrypt(secret, peer, text, NIP44Version.V2);
    } finally {
      peer.free();
    }
  };
  const decrypt = (from, payload) => {
    const peer = PublicKey.parse(from);
    try {
      return sdk.nip44Decrypt(secret, peer, payload);
    } finally {
      peer.free();
    }
  };
  const verify = (text) => {
    const event = Event.fromJson(text);
    try {
      return event.verify();
    } finally {
      event.free();
    }
  };
  const mustVerify = (text) => same(verify(text), true);

  // fromGiftWrap does not look at the signature of the wrap.
  const unwrap = async (text) => {
    const wrap = Event.fromJson(text);
    try {
      if (!wrap.verify()) throw new Error('the wrap does not verify');
      return await UnwrappedGift.fromGiftWrap(bobSigner, wrap);
    } finally {
      wrap.free();
    }
  };
  const read = (gift) => ({ sender: gift.sender.toHex(), content: gift.rumor.content });

  const rows = {
    Import() {
      let keys;
      return {
        op() {
          keys?.free();
          keys = Keys.parse(alice.secret);
        },
        check: () => same(keys.publicKey.toHex(), alice.pub),
      };
    },
    Encrypt({ len, key }) {
      if (key === 'cached') return undefined;
      const text = inputs.messages[len];
      let payload;
      return {
        inputs: people.length,
        op: (i) => (payload = encrypt(people[i].pub, text)),
        check: (i, judge) => same(judge.decrypt(payload, people[i]), text),
      };
    },
    Decrypt({ len, key }) {
      if (key === 'cached') return undefined;
      const payloads = inputs.payloads[len];
      let text;
      return {
        inputs: people.length,
        op: (i) => (text = decrypt(people[i].pub, payloads[i])),
        check: () => same(text, inputs.messages[len]),
      };
    },
    Sign() {
      const template = UnsignedEvent.fromJson(inputs.note);
      let event;
      return {
        async op() {
          event?.free();
          event = await aliceSigner.signEvent(template);
        },
        check: (i, judge) => judge.verify(event.asJson()),
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
      if (len > maxWrapped) return undefined;
      const rumor = UnsignedEvent.fromJson(inputs.rumors[len]);
      let wrap;
      return {
        async op() {
          wrap?.free();
          const peer = PublicKey.parse(bob.pub);
          wrap = await EventBuilder.giftWrap(aliceSigner, peer, rumor);
          peer.free();
        },
        async check(i, judge) {
          const { sender, content } = await judge.open(wrap.asJson());
          same(sender, alice.pub);
          same(content, inputs.messages[len]);
        },
      };
    },
    Unwrap: ({ len }) => (len > maxWrapped ? undefined : unwraps(len, 1)),
    UnwrapAll: ({ n }) => unwraps(32, n),
  };

  function unwraps(len, n) {
    const texts = inputs.wraps[len];
    let gift;
    return {
      inputs: Math.floor(texts.length / n),
      events: n,
      async op(i) {
        for (let j = i * n; j < (i + 1) * n; j++) {
          gift?.free();
          gift = await unwrap(texts[j]);
        }
      },
      async check() {
        const { sender, content } = read(gift);
        same(sender, alice.pub);
        same(content, inputs.messages[len]);
        await refused(() => unwrap(forge(texts)), 'the wrap does not verify');
      },
    };
  }

  return {
    impl: 'nostr-sdk',
    package: '@rust-nostr/nostr-sdk',
    rows,
    judge: {
      decrypt: (payload, from) => decrypt(from.pub, payload),
      verify: mustVerify,
      opens: (len) => len <= maxWrapped,
      open: async (text) => read(await unwrap(text)),
    },
  };
}
