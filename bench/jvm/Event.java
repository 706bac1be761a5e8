import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** An event (NIP-01), read and serialized by Jackson's streams. Id and sig are null before it is signed. */
record Event(String id, String pubkey, long createdAt, int kind, List<List<String>> tags, String content, String sig) {
    static final JsonFactory JSON = new JsonFactory();
    private static final HexFormat HEX = HexFormat.of();

    /** Reads an event; fields of other names are skipped. */
    static Event parse(String text) {
        String id = null, pubkey = null, content = null, sig = null;
        long createdAt = 0;
        int kind = 0;
        List<List<String>> tags = null;
        try (var in = JSON.createParser(text)) {
            want(in.nextToken(), JsonToken.START_OBJECT);
            for (String name; (name = in.nextFieldName()) != null; ) {
                in.nextToken();
                switch (name) {
                    case "id" -> id = in.getText();
                    case "pubkey" -> pubkey = in.getText();
                    case "created_at" -> createdAt = in.getLongValue();
                    case "kind" -> kind = in.getIntValue();
                    case "tags" -> tags = parseTags(in);
                    case "content" -> content = in.getText();
                    case "sig" -> sig = in.getText();
                    default -> in.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Event(id, pubkey, createdAt, kind, tags, content, sig);
    }

    private static List<List<String>> parseTags(JsonParser in) throws IOException {
        want(in.currentToken(), JsonToken.START_ARRAY);
        var tags = new ArrayList<List<String>>();
        while (in.nextToken() == JsonToken.START_ARRAY) {
            var tag = new ArrayList<String>();
            while (in.nextToken() == JsonToken.VALUE_STRING) {
                tag.add(in.getText());
            }
            want(in.currentToken(), JsonToken.END_ARRAY);
            tags.add(tag);
        }
        want(in.currentToken(), JsonToken.END_ARRAY);
        return tags;
    }

    private static void want(JsonToken got, JsonToken want) {
        if (got != want) {
            throw new IllegalArgumentException("not an event: " + got + ", not " + want);
        }
    }

    /** The 32 bytes of the id, computed. */
    byte[] hash() {
        var out = new ByteArrayOutputStream(1024);
        try (var json = JSON.createGenerator(out)) {
            json.writeStartArray();
            json.writeNumber(0);
            json.writeString(pubkey);
            json.writeNumber(createdAt);
            json.writeNumber(kind);
            json.writeStartArray();
            for (var tag : tags) {
                json.writeStartArray();
                for (var item : tag) {
                    json.writeString(item);
                }
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeString(content);
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sha256(out.toByteArray());
    }

    /** The event with id and signature, which must be its author's. */
    Event sign(Curve.Key key, byte[] aux) {
        var hash = hash();
        return new Event(HEX.formatHex(hash), pubkey, createdAt, kind, tags, content, HEX.formatHex(key.sign(hash, aux)));
    }

    /** Tells whether id and signature are right. */
    boolean verify() {
        var hash = hash();
        return Arrays.equals(hash, HEX.parseHex(id)) && Curve.verify(HEX.parseHex(pubkey), hash, HEX.parseHex(sig));
    }

    static byte[] sha256(byte[] data) {
        var digest = new SHA256Digest();
        digest.update(data, 0, data.length);
        var sum = new byte[32];
        digest.doFinal(sum, 0);
        return sum;
    }
}
