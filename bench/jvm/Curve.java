import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.util.BigIntegers;

/**
 * secp256k1 and BIP-340 on Bouncy Castle's arithmetic, with the fastest that it
 * has for each purpose: its own field of this curve, the comb with precomputed
 * points for multiples of the generator, the endomorphism for those of other
 * points. It takes variable time.
 */
final class Curve {
    private static final X9ECParameters PARAMETERS = CustomNamedCurves.getByName("secp256k1");
    private static final ECCurve CURVE = PARAMETERS.getCurve();
    private static final ECPoint G = PARAMETERS.getG();
    private static final BigInteger N = PARAMETERS.getN();
    private static final BigInteger P = CURVE.getField().getCharacteristic();

    private static final SHA256Digest AUX = tag("BIP0340/aux");
    private static final SHA256Digest NONCE = tag("BIP0340/nonce");
    private static final SHA256Digest CHALLENGE = tag("BIP0340/challenge");

    private Curve() {}

    /** A secret key, itself or its negative, whichever has the point of even y, and the x-only public key. */
    record Key(BigInteger secret, BigInteger even, byte[] pub) {
        /** Makes the key of 32 bytes, big endian, from 1 to the group order. */
        static Key of(byte[] secret) {
            var d = new BigInteger(1, secret);
            if (secret.length != 32 || d.signum() == 0 || d.compareTo(N) >= 0) {
                throw new IllegalArgumentException("not a secret key");
            }
            var point = baseMult(d);
            return new Key(d, isOdd(point) ? N.subtract(d) : d, x(point));
        }

        /** The x-coordinate of the product with the peer's point of even y. */
        byte[] ecdh(byte[] peer) {
            return x(lift(peer).multiply(secret).normalize());
        }

        /** Signs 32 bytes with 32 bytes of auxiliary randomness, and does not verify what it made. */
        byte[] sign(byte[] msg, byte[] aux) {
            var masked = BigIntegers.asUnsignedByteArray(32, even);
            var mask = hash(AUX, aux);
            for (int i = 0; i < 32; i++) {
                masked[i] ^= mask[i];
            }
            var k = new BigInteger(1, hash(NONCE, masked, pub, msg)).mod(N);
            if (k.signum() == 0) {
                throw new IllegalStateException("the nonce is zero");
            }
            var nonce = baseMult(k);
            if (isOdd(nonce)) {
                k = N.subtract(k);
            }
            var r = x(nonce);
            var e = new BigInteger(1, hash(CHALLENGE, r, pub, msg));
            var sig = new byte[64];
            System.arraycopy(r, 0, sig, 0, 32);
            BigIntegers.asUnsignedByteArray(e.multiply(even).add(k).mod(N), sig, 32, 32);
            return sig;
        }
    }

    /** Tells whether the 64 bytes sig are a signature of msg by the x-only key pub. */
    static boolean verify(byte[] pub, byte[] msg, byte[] sig) {
        if (sig.length != 64) {
            return false;
        }
        var rBytes = Arrays.copyOfRange(sig, 0, 32);
        var r = new BigInteger(1, rBytes);
        var s = new BigInteger(1, sig, 32, 32);
        if (r.compareTo(P) >= 0 || s.compareTo(N) >= 0) {
            return false;
        }
        var e = new BigInteger(1, hash(CHALLENGE, rBytes, pub, msg)).mod(N);
        var point = ECAlgorithms.sumOfTwoMultiplies(G, s, lift(pub), N.subtract(e)).normalize();
        return !point.isInfinity() && !isOdd(point) && point.getAffineXCoord().toBigInteger().equals(r);
    }

    private static ECPoint baseMult(BigInteger k) {
        return new FixedPointCombMultiplier().multiply(G, k).normalize();
    }

    /** The point of even y with this x-coordinate; there is none for about half of all. */
    private static ECPoint lift(byte[] x) {
        var compressed = new byte[33];
        compressed[0] = 2;
        System.arraycopy(x, 0, compressed, 1, 32);
        return CURVE.decodePoint(compressed);
    }

    private static boolean isOdd(ECPoint normal) {
        return normal.getAffineYCoord().testBitZero();
    }

    private static byte[] x(ECPoint normal) {
        return normal.getAffineXCoord().getEncoded();
    }

    /** The state of a tagged hash after its tag. */
    private static SHA256Digest tag(String name) {
        var tag = Event.sha256(name.getBytes(StandardCharsets.US_ASCII));
        var digest = new SHA256Digest();
        digest.update(tag, 0, 32);
        digest.update(tag, 0, 32);
        return digest;
    }

    private static byte[] hash(SHA256Digest tagged, byte[]... parts) {
        var digest = new SHA256Digest(tagged);
        for (var part : parts) {
            digest.update(part, 0, part.length);
        }
        var sum = new byte[32];
        digest.doFinal(sum, 0);
        return sum;
    }
}
