package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/protocol/keys"
)

// maxKeyText bounds what is read from a key source. An ncryptsec has 162
// characters; the rest is room for white space.
const maxKeyText = 4096

var (
	errNsec    = errors.New("not a valid nsec")
	errNpub    = errors.New("this is a public key (npub), not a secret one")
	errKeyText = errors.New("not a secret key: want 64 lower-case hex digits, an nsec or an ncryptsec")
	errKeySize = fmt.Errorf("more than %d bytes", maxKeyText)
)

// keySources are the flags by which a command is told where its secret keys
// are. A key is never an argument.
type keySources struct {
	files    []string
	envs     []string
	fds      []int
	password passwordSource
}

func (k *keySources) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&k.files, "key-file", nil, "read a secret key (hex, nsec or ncryptsec) from the file `PATH`")
	f.StringArrayVar(&k.envs, "key-env", nil, "read a secret key from the environment variable `NAME`")
	f.IntSliceVar(&k.fds, "key-fd", nil, "read a secret key from the open file descriptor `N`")
	f.StringVar(&k.password.file, "password-file", "", "read the password of an ncryptsec from the file `PATH`")
	f.StringVar(&k.password.env, "password-env", "", "read the password of an ncryptsec from the environment variable `NAME`")
	f.IntVar(&k.password.fd, "password-fd", noFD, "read the password of an ncryptsec from the open file descriptor `N`")
	f.Lookup("password-fd").DefValue = "0" // so that the help shows none
	f.IntVar(&k.password.maxLogN, "max-log-n", defaultMaxLogN, "most work and memory that an ncryptsec may ask for: 2 to the `N` times 1 KiB")
	_ = cmd.MarkFlagFilename("key-file")
	_ = cmd.MarkFlagFilename("password-file")
}

func (k *keySources) count() int { return len(k.files) + len(k.envs) + len(k.fds) }

// usesStdin names the flag by which a key or its password is read from standard
// input, "" when none is.
func (k *keySources) usesStdin() string {
	switch {
	case slices.Contains(k.fds, 0):
		return "--key-fd 0"
	case k.password.fd == 0:
		return "--password-fd 0"
	}
	return ""
}

// check looks at what the flags say about each other. A descriptor is read to
// its end and can be read once.
func (k *keySources) check() error {
	if k.count() == 0 {
		return usageError("want a secret key: --key-file, --key-env or --key-fd")
	}
	if k.password.maxLogN < 1 || k.password.maxLogN > maxLogN {
		return usageError(fmt.Sprintf("--max-log-n: want 1 to %d", maxLogN))
	}
	if p := &k.password; p.file != "" && p.env != "" || (p.file != "" || p.env != "") && p.fd != noFD {
		return usageError("want at most one of --password-file, --password-env and --password-fd")
	}
	for i, fd := range k.fds {
		if slices.Contains(k.fds[:i], fd) {
			return usageError(fmt.Sprintf("--key-fd %d: can be read once only", fd))
		}
		if fd == k.password.fd && fd != noFD {
			return usageError(fmt.Sprintf("--password-fd %d: the key is read from it already", fd))
		}
	}
	return nil
}

// one loads the key of a command that takes exactly one.
func (k *keySources) one(ctx context.Context, warn func(string)) (*keys.SecretKey, error) {
	if k.count() != 1 {
		return nil, usageError("want exactly one of --key-file, --key-env and --key-fd")
	}
	all, err := k.all(ctx, warn)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// all loads the keys of a command that takes one or more: those of files
// first, then of variables, then of descriptors, each in the order given. No
// error quotes any of a key's text. It ends when ctx does.
func (k *keySources) all(ctx context.Context, warn func(string)) ([]*keys.SecretKey, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	defer k.password.wipe()
	var loaded []*keys.SecretKey
	add := func(from string, read func() ([]byte, error)) error {
		text, err := await(ctx, read)
		defer clear(text)
		if err == nil {
			var sk *keys.SecretKey
			if sk, err = k.parse(ctx, from, text); err == nil {
				loaded = append(loaded, sk)
				return nil
			}
		}
		for _, sk := range loaded {
			sk.Zero()
		}
		return fmt.Errorf("%s: %w", from, err)
	}
	for _, path := range k.files {
		if err := add("key file "+path, func() ([]byte, error) { return readKeyFile(path, warn) }); err != nil {
			return nil, err
		}
	}
	for _, name := range k.envs {
		if err := add("environment variable "+name, func() ([]byte, error) { return readKeyEnv(name) }); err != nil {
			return nil, err
		}
	}
	for _, fd := range k.fds {
		if err := add(fmt.Sprintf("file descriptor %d", fd), func() ([]byte, error) { return readKeyFD(fd) }); err != nil {
			return nil, err
		}
	}
	return loaded, nil
}

// await returns what f returns, or the cause of ctx's end. A read that hangs
// cannot be cancelled: it is left behind, and the program ends soon after.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// readKeyEnv returns a copy of a variable, which can be wiped. The variable
// itself cannot.
func readKeyEnv(name string) ([]byte, error) {
	value, ok := os.LookupEnv(name)
	switch {
	case !ok:
		return nil, errors.New("is not set")
	case len(value) > maxKeyText:
		return nil, errKeySize
	}
	return []byte(value), nil
}

func readKeyFile(path string, warn func(string)) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, bareError(err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && runtime.GOOS != "windows" && st.Mode().IsRegular() && st.Mode().Perm()&0o077 != 0 {
		warn(fmt.Sprintf("key file %s: mode %04o lets others read or write it (chmod 600)", path, st.Mode().Perm()))
	}
	return readKeyText(f)
}

func readKeyFD(fd int) ([]byte, error) {
	if fd < 0 || fd == 1 || fd == 2 {
		return nil, errors.New("no descriptor to read from")
	}
	f := os.NewFile(uintptr(fd), "key")
	if f == nil {
		return nil, os.ErrInvalid
	}
	defer f.Close()
	return readKeyText(f)
}

// readKeyText reads at most maxKeyText bytes to the end of r.
func readKeyText(r io.Reader) ([]byte, error) {
	text := make([]byte, maxKeyText+1)
	n, err := io.ReadFull(r, text)
	switch {
	case err == nil:
		clear(text)
		return nil, errKeySize
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return text[:n], nil
	}
	clear(text)
	return nil, bareError(err)
}

// parse reads hex, nsec or ncryptsec, white space around it dropped. It makes
// no copy of the text that nobody wipes.
func (k *keySources) parse(ctx context.Context, from string, text []byte) (*keys.SecretKey, error) {
	text = bytes.TrimSpace(text)
	hrp, _, found := bytes.Cut(text, []byte{'1'})
	switch {
	case found && bytes.EqualFold(hrp, []byte("ncryptsec")):
		return k.password.decryptNcryptsec(ctx, from, text)
	case found && bytes.EqualFold(hrp, []byte("npub")):
		return nil, errNpub
	case found && bytes.EqualFold(hrp, []byte("nsec")):
		d, err := decodeNIP19("nsec", viewString(text))
		defer clear(d[:])
		if err != nil {
			return nil, errNsec
		}
		return keys.NewSecretKey(d[:])
	case len(text) != 64:
		return nil, errKeyText
	}
	return keys.ParseSecretKey(viewString(text))
}

// viewString returns the bytes as a string without a copy, which could not be
// wiped. The string is valid until b changes.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
