import { hexToBytes } from '@noble/hashes/utils.js';
import * as nip44 from 'nostr-tools/nip44';
import * as nip59 from 'nostr-tools/nip59';
import { finalizeEvent, verifyEvent } from 'nostr-tools/pure';

import { serve } from './serve.mjs';

const conversationKey = (secret, peer) => nip44.getConversationKey(hexToBytes(secret), peer);

await serve('nostr-tools', {
  encrypt: (secret, to, text) => nip44.encrypt(text, conversationKey(secret, to)),
  decrypt: (secret, from, payload) => nip44.decrypt(payload, conversationKey(secret, from)),
  wrap: (secret, to, rumor) => JSON.stringify(nip59.wrapEvent(JSON.parse(rumor), hexToBytes(secret), to)),
  unwrap: (secret, wrap) => JSON.stringify(nip59.unwrapEvent(JSON.parse(wrap), hexToBytes(secret))),
  sign: (secret, event) => JSON.stringify(finalizeEvent(JSON.parse(event), hexToBytes(secret))),
  verify: (text) => {
    const event = JSON.parse(text);
    if (!verifyEvent(event)) throw new Error('verifyEvent: false');
    return JSON.stringify(event);
  },
});
