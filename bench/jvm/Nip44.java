import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.engines.ChaCha7539Engine;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** NIP-44, version 2, on Bouncy Castle's ChaCha20, HMAC and HKDF; base64 is Java's. */
final class Nip44 {
    private static final byte[] SALT = "nip44-v2".getBytes(StandardCharsets.US_ASCII);

    private Nip44() {}

    /** Derives the 32 bytes of the conversation key. */
    static byte[] conversationKey(Curve.Key own, byte[] peer) {
        return hmac(SALT, own.ecdh(peer));
    }

    /** Encrypts a text of 1 to 65,535 bytes with a nonce of 32. */
    static String encrypt(String text, byte[] conversationKey, byte[] nonce) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < 1 || bytes.length > 65535) {
            throw new IllegalArgumentException("a text of " + bytes.length + " bytes");
        }
        var padded = new byte[2 + paddedLength(bytes.length)];
        padded[0] = (byte) (bytes.length >> 8);
        padded[1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, padded, 2, bytes.length);

        var keys = messageKeys(conversationKey, nonce);
        var payload = new byte[1 + 32 + padded.length + 32];
        payload[0] = 2;
        System.arraycopy(nonce, 0, payload, 1, 32);
        chacha20(keys, padded, 0, padded.length, payload, 33);
        var mac = mac(keys, payload, 33 + padded.length);
        System.arraycopy(mac, 0, payload, 33 + padded.length, 32);
        return Base64.getEncoder().encodeToString(payload);
    }

    /** Decrypts a payload; throws IllegalArgumentException when it is not one under this key. */
    static String decrypt(String payload, byte[] conversationKey) {
        var data = Base64.getDecoder().decode(payload);
        if (data.length < 99 || data.length > 65603 || data[0] != 2) {
            throw new IllegalArgumentException("not a payload of version 2");
        }
        var keys = messageKeys(conversationKey, nonce(data));
        int end = data.length - 32;
        if (!org.bouncycastle.util.Arrays.constantTimeAreEqual(32, mac(keys, data, end), 0, data, end)) {
            throw new IllegalArgumentException("wrong MAC");
        }
        var padded = new byte[end - 33];
        chacha20(keys, data, 33, padded.length, padded, 0);
        int length = (padded[0] & 0xff) << 8 | padded[1] & 0xff;
        if (length == 0 || padded.length != 2 + paddedLength(length)) {
            throw new IllegalArgumentException("wrong padding");
        }
        return new String(padded, 2, length, StandardCharsets.UTF_8);
    }

    /** The nonce of a payload after base64. */
    static byte[] nonce(byte[] data) {
        return Arrays.copyOfRange(data, 1, 33);
    }

    private static int paddedLength(int length) {
        if (length <= 32) {
            return 32;
        }
        int chunk = Math.max(32, Integer.highestOneBit(length - 1) / 4);
        return (length - 1) / chunk * chunk + chunk;
    }

    /** ChaCha20's key of 32 bytes and nonce of 12, and HMAC's key of 32. */
    private static byte[] messageKeys(byte[] conversationKey, byte[] nonce) {
        var hkdf = new HKDFBytesGenerator(new SHA256Digest());
        hkdf.init(HKDFParameters.skipExtractParameters(conversationKey, nonce));
        var keys = new byte[76];
        hkdf.generateBytes(keys, 0, keys.length);
        return keys;
    }

    private static void chacha20(byte[] keys, byte[] in, int from, int length, byte[] out, int to) {
        var engine = new ChaCha7539Engine();
        engine.init(true, new ParametersWithIV(new KeyParameter(keys, 0, 32), keys, 32, 12));
        engine.processBytes(in, from, length, out, to);
    }

    /** The MAC over nonce and ciphertext, which end at end. */
    private static byte[] mac(byte[] keys, byte[] data, int end) {
        var mac = new HMac(new SHA256Digest());
        mac.init(new KeyParameter(keys, 44, 32));
        mac.update(data, 1, end - 1);
        var sum = new byte[32];
        mac.doFinal(sum, 0);
        return sum;
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        var mac = new HMac(new SHA256Digest());
        mac.init(new KeyParameter(key));
        mac.update(data, 0, data.length);
        var sum = new byte[32];
        mac.doFinal(sum, 0);
        return sum;
    }
}
