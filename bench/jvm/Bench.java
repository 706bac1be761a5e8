import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Rows of the protocol with Bouncy Castle, in the format of Go benchmarks, on the
 * inputs that the Go side exports:
 *
 * <pre>
 *   go test -run TestExportInputs -inputs FILE .     (in the folder bench)
 *   java -cp CLASSES:/usr/share/java/bcprov.jar:/usr/share/java/jackson-core.jar Bench FILE [-quick] [-bench REGEXP]
 * </pre>
 *
 * Bouncy Castle has neither NIP-44 nor BIP-340; they are built on it here as a
 * library for the JVM would. Before a row is timed, its answers are compared with
 * those of the Go side: payloads and signatures are made again, with the
 * randomness of known ones, and have to be the same.
 */
final class Bench {
    private static final HexFormat HEX = HexFormat.of();
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Work on some inputs; check judges what the last op made of input i. */
    private record Work(int inputs, IntConsumer op, IntConsumer check) {}

    private final Map<String, Object> inputs;
    private final boolean quick;
    private final Pattern wanted;

    private final Curve.Key alice;
    private final byte[][] peers;

    // What the last op made, where the check and the compiler see it.
    private Object made;

    public static void main(String[] args) throws IOException {
        String file = null, wanted = "";
        boolean quick = false;
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("-quick")) {
                quick = true;
            } else if (args[i].equals("-bench") && i + 1 < args.length) {
                wanted = args[++i];
            } else if (file == null && !args[i].startsWith("-")) {
                file = args[i];
            } else {
                file = null;
                break;
            }
        }
        if (file == null) {
            System.err.println("usage: java Bench FILE [-quick] [-bench REGEXP]");
            System.exit(2);
        }
        new Bench(file, quick, Pattern.compile(wanted)).run();
    }

    private Bench(String file, boolean quick, Pattern wanted) throws IOException {
        try (var in = Event.JSON.createParser(new File(file))) {
            in.nextToken();
            inputs = object(read(in));
        }
        this.quick = quick;
        this.wanted = wanted;
        alice = Curve.Key.of(hex(object(inputs.get("alice")).get("secret")));
        peers = list(inputs.get("people")).stream().map(p -> hex(object(p).get("pub"))).toArray(byte[][]::new);
    }

    private void run() throws IOException {
        System.out.println("goos: " + System.getProperty("os.name").toLowerCase(Locale.ROOT));
        System.out.println("goarch: " + System.getProperty("os.arch").replace("aarch64", "arm64"));
        System.out.println("pkg: github.com/sealwright/sealwright/bench");
        cpu();
        System.out.println("java: " + System.getProperty("java.vm.version"));
        System.out.println("bouncycastle: " + new BouncyCastleProvider().getVersionStr());

        measure("Import", imports());
        measure("ConversationKey", conversationKeys());
        for (int length : new int[] {32, 1024, 64000}) {
            measure("Encrypt/len=" + length + "/key=cached", encrypts(length, true));
            measure("Encrypt/len=" + length + "/key=derived", encrypts(length, false));
        }
        for (int length : new int[] {32, 1024, 64000}) {
            measure("Decrypt/len=" + length + "/key=cached", decrypts(length, true));
            measure("Decrypt/len=" + length + "/key=derived", decrypts(length, false));
        }
        measure("Sign", signs());
        measure("Verify", verifies());
        measure("ECDH", products());
    }

    private Work imports() {
        var secret = (String) object(inputs.get("alice")).get("secret");
        var pub = hex(object(inputs.get("alice")).get("pub"));
        return new Work(1, i -> made = Curve.Key.of(HEX.parseHex(secret)), i -> same(((Curve.Key) made).pub(), pub));
    }

    private Work conversationKeys() {
        return new Work(peers.length, i -> made = Nip44.conversationKey(alice, peers[i]),
            i -> same((byte[]) made, hex(list(inputs.get("conversationKeys")).get(i))));
    }

    private Work products() {
        return new Work(peers.length, i -> made = alice.ecdh(peers[i]),
            i -> same((byte[]) made, hex(list(inputs.get("sharedX")).get(i))));
    }

    private Work encrypts(int length, boolean cached) {
        var text = (String) object(inputs.get("messages")).get("" + length);
        var payloads = payloads(length);
        var kept = Nip44.conversationKey(alice, peers[0]);
        IntConsumer op = cached
            ? i -> made = Nip44.encrypt(text, kept, random(32))
            : i -> made = Nip44.encrypt(text, Nip44.conversationKey(alice, peers[i]), random(32));
        return new Work(cached ? 1 : peers.length, op, i -> {
            var key = Nip44.conversationKey(alice, peers[i]);
            same(Nip44.decrypt((String) made, key), text);
            var nonce = Nip44.nonce(Base64.getDecoder().decode(payloads[i]));
            same(Nip44.encrypt(text, key, nonce), payloads[i]);
        });
    }

    private Work decrypts(int length, boolean cached) {
        var text = (String) object(inputs.get("messages")).get("" + length);
        var payloads = payloads(length);
        var kept = Nip44.conversationKey(alice, peers[0]);
        IntConsumer op = cached
            ? i -> made = Nip44.decrypt(payloads[0], kept)
            : i -> made = Nip44.decrypt(payloads[i], Nip44.conversationKey(alice, peers[i]));
        return new Work(cached ? 1 : peers.length, op, i -> {
            same((String) made, text);
            var changed = Base64.getDecoder().decode(payloads[i]);
            changed[40] ^= 1;
            try {
                Nip44.decrypt(Base64.getEncoder().encodeToString(changed), Nip44.conversationKey(alice, peers[i]));
            } catch (IllegalArgumentException e) {
                same(e.getMessage(), "wrong MAC");
                return;
            }
            throw new IllegalStateException("takes a changed payload");
        });
    }

    private Work signs() {
        var template = Event.parse((String) inputs.get("note"));
        return new Work(1, i -> made = template.sign(alice, random(32)), i -> {
            same(((Event) made).verify(), true);
            for (var known : list(inputs.get("signatures"))) {
                var s = object(known);
                same(Curve.Key.of(hex(s.get("secret"))).sign(hex(s.get("msg")), hex(s.get("aux"))), hex(s.get("sig")));
            }
        });
    }

    private Work verifies() {
        var notes = list(inputs.get("notes")).toArray(String[]::new);
        var changed = list(inputs.get("changed"));
        return new Work(notes.length, i -> {
            if (!Event.parse(notes[i]).verify()) {
                throw new IllegalStateException("refuses an event");
            }
        }, i -> {
            for (var text : list(changed.get(i))) {
                same(Event.parse((String) text).verify(), false);
            }
        });
    }

    private void measure(String row, Work work) {
        var name = "Benchmark" + row + "/impl=bouncycastle";
        if (!wanted.matcher(name).find()) {
            return;
        }
        for (int i : new int[] {0, work.inputs - 1}) {
            work.op.accept(i);
            try {
                work.check.accept(i);
            } catch (RuntimeException e) {
                throw new IllegalStateException(name + ", input " + i, e);
            }
        }
        // Ever more ops at a time, until the compiler has settled; the last ones tell
        // how many make a sample.
        long warmUp = (quick ? 200 : 2000) * 1_000_000L;
        long sample = (quick ? 50 : 70) * 1_000_000L;
        long perOp = 1;
        long start = System.nanoTime();
        for (int n = 1; System.nanoTime() - start < warmUp; n *= 2) {
            perOp = Math.max(1, time(work, n) / n);
        }
        int n = (int) Math.max(1, sample / perOp);
        for (int count = quick ? 1 : 30; count > 0; count--) {
            System.out.printf(Locale.ROOT, "%s\t%d\t%.1f ns/op%n", name, n, (double) time(work, n) / n);
        }
    }

    /** The nanoseconds of n ops. */
    private static long time(Work work, int n) {
        long start = System.nanoTime();
        for (int i = 0; i < n; i++) {
            work.op.accept(i % work.inputs);
        }
        return System.nanoTime() - start;
    }

    private static byte[] random(int n) {
        var bytes = new byte[n];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static void same(byte[] got, byte[] want) {
        same(HEX.formatHex(got), HEX.formatHex(want));
    }

    private static void same(Object got, Object want) {
        if (!got.equals(want)) {
            throw new IllegalStateException("%.64s, not %.64s".formatted(got, want));
        }
    }

    /** Java does not tell what processor it runs on; Linux does. */
    private static void cpu() throws IOException {
        var info = Path.of("/proc/cpuinfo");
        if (Files.exists(info)) {
            Files.readAllLines(info).stream().filter(line -> line.startsWith("model name")).findFirst()
                .ifPresent(line -> System.out.println("cpu: " + line.substring(line.indexOf(':') + 1).strip()));
        }
    }

    // The inputs: objects, lists and strings.

    private static Object read(JsonParser in) throws IOException {
        if (in.currentToken() == JsonToken.START_OBJECT) {
            var map = new LinkedHashMap<String, Object>();
            for (String name; (name = in.nextFieldName()) != null; ) {
                in.nextToken();
                map.put(name, read(in));
            }
            return map;
        }
        if (in.currentToken() == JsonToken.START_ARRAY) {
            var list = new ArrayList<Object>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                list.add(read(in));
            }
            return list;
        }
        return in.getText();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private static byte[] hex(Object value) {
        return HEX.parseHex((String) value);
    }

    private String[] payloads(int length) {
        return list(object(inputs.get("payloads")).get("" + length)).toArray(String[]::new);
    }
}
