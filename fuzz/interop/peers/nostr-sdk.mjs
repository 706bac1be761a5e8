import sdk from '@rust-nostr/nostr-sdk';

import { serve } from './serve.mjs';

await sdk.loadWasmAsync();

const { Event, EventBuilder, Keys, NIP44Version, NostrSigner, PublicKey, SecretKey, UnsignedEvent, UnwrappedGift } = sdk;
const signer = (secret) => NostrSigner.keys(Keys.parse(secret));

await serve('@rust-nostr/nostr-sdk', {
  encrypt: (secret, to, text) => sdk.nip44Encrypt(SecretKey.parse(secret), PublicKey.parse(to), text, NIP44Version.V2),
  decrypt: (secret, from, payload) => sdk.nip44Decrypt(SecretKey.parse(secret), PublicKey.parse(from), payload),
  wrap: async (secret, to, rumor) =>
    (await EventBuilder.giftWrap(signer(secret), PublicKey.parse(to), UnsignedEvent.fromJson(rumor))).asJson(),
  unwrap: async (secret, wrap) =>
    (await UnwrappedGift.fromGiftWrap(signer(secret), Event.fromJson(wrap))).rumor.asJson(),
  sign: (secret, event) => UnsignedEvent.fromJson(event).signWithKeys(Keys.parse(secret)).asJson(),
  verify: (text) => {
    const event = Event.fromJson(text);
    if (!event.verify()) throw new Error('verify: false');
    return event.asJson();
  },
});
