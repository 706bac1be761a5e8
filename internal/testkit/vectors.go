// Package testkit serves the module's own tests: it finds the published test
// vectors, which lie outside the repository, and says how many cases a test
// could not run when they are absent. Tests and tools/emulator import it, and no
// program that users run.
package testkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// File is one published vector file. VECTORS.md tells where each comes from.
type File struct {
	Name   string // path below the vector folder, with forward slashes
	SHA256 string // of the file's bytes, lower-case hex
	Cases  int    // what is not run when the file is absent
}

// Files lists every vector file that the tests read.
var Files = []File{
	{"nip44.vectors.json", "269ed0f69e4c192512cc779e78c555090cebc7c785b609e338a62afc3ce25040", 128},
	{"nip44_extended.json", "5c1377b21f8d221df324f32120d72a4b21fc291d154257d8e85061a9c07a77e0", 110},
	{"nips_examples.json", "f7f803fa12c4cd44ff489575cfe0e0e172bbf579f0b7b0cd70fda7c4b1ba79e7", 19},
	{"nip01_id.json", "3c9ead418e5ca17786c40e203061a1fae18c9854c84b04c3e8c9d059a016ba3f", 7},
	{"bip340-test-vectors.csv", "34c9d1d9c3a88d524bc80778540dc43f8306ec249a7485293063c376db851c2d", 19},
	{"chacha20.json", "83aee7123ae3135d67e245d42cf54d66c8711057acd204647ff6865c9dafc532", 25},
	{"wycheproof/ecdh_secp256k1_test.json", "049fa2be70e9db836a043aba6132b53cd97de4c0de5277bca6d65a2770075cae", 752},
	{"wycheproof/ecdh_secp256k1_webcrypto_test.json", "e68d019c7db56dc48cc69abb1d018ebf1cf12621689834fd658baf66c36f5268", 496},
	{"wycheproof/hmac_sha256_test.json", "2d201cfa61d1bf95e6f5d07d96634b4a348b31e8eaa277ad7c8d09677b7a743f", 174},
	{"wycheproof/hkdf_sha256_test.json", "bb2b462a38b251cb52a2aede706d6d4b62b26864f4e80c95497507ddb07c5f1e", 86},
	{"wycheproof/chacha20_poly1305_test.json", "fe61d25f90e1bde4461d00eafe61049e5f29bd999f36b766df9cda90906ad53d", 325},
}

// Dir returns the vector folder: $SEALWRIGHT_VECTORS, or shared/vectors beside
// the checkout. It is not an error for it to be absent; Vectors tells.
func Dir() string {
	if d := os.Getenv("SEALWRIGHT_VECTORS"); d != "" {
		return d
	}
	root, err := Root()
	if err != nil {
		return ""
	}
	return filepath.Join(root, "..", "shared", "vectors")
}

// Root returns the top folder of the checkout: the nearest parent of the
// working directory that holds this module's internal/testkit.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "internal", "testkit")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("testkit: not inside the checkout")
		}
		dir = parent
	}
}

// Vectors returns the bytes of a file that Files lists. Where the file is
// absent the test is skipped, with the number of cases not run, or fails under
// SEALWRIGHT_REQUIRE=vectors. A file of other content always fails, and so does an
// unknown word of that variable.
func Vectors(tb testing.TB, name string) []byte {
	tb.Helper()
	if _, err := Requirements(); err != nil {
		tb.Fatal(err)
	}
	i := slices.IndexFunc(Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		tb.Fatalf("testkit.Files does not list %q", name)
	}
	f := Files[i]
	data, err := os.ReadFile(filepath.Join(Dir(), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		const form = "%s is absent: %d cases not run (SEALWRIGHT_VECTORS names the vector folder; see VECTORS.md)"
		if Required("vectors") {
			tb.Fatalf(form, name, f.Cases)
		}
		tb.Skipf(form, name, f.Cases)
	}
	if err != nil {
		tb.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
		tb.Fatalf("%s: SHA-256 is %x, VECTORS.md says %s", name, sum, f.SHA256)
	}
	return data
}

// VectorsJSON decodes a file of Vectors into v.
func VectorsJSON(tb testing.TB, name string, v any) {
	tb.Helper()
	DecodeJSON(tb, name, Vectors(tb, name), v)
}

// Testdata decodes a JSON file of the repository, named from its top folder,
// into v. Its absence is a failure: testdata is committed.
func Testdata(tb testing.TB, name string, v any) {
	tb.Helper()
	root, err := Root()
	if err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		tb.Fatal(err)
	}
	DecodeJSON(tb, name, data, v)
}

// DecodeJSON decodes data, whose name serves the message, or fails the test.
func DecodeJSON(tb testing.TB, name string, data []byte, v any) {
	tb.Helper()
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(v); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
}

// Hex decodes a hexadecimal string of a test case or fails the test.
func Hex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatalf("%q: %v", s, err)
	}
	return b
}

// Hex32 is Hex for values of 32 bytes.
func Hex32(tb testing.TB, s string) (v [32]byte) {
	tb.Helper()
	b := Hex(tb, s)
	if len(b) != len(v) {
		tb.Fatalf("%q: %d bytes, want %d", s, len(b), len(v))
	}
	copy(v[:], b)
	return v
}
