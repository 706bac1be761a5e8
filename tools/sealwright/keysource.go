package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

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
	errKeySize = fmt.Errorf("more than %d bytes: not a secret key", maxKeyText)
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
	f.IntVar(&k.password.fd, "password-fd", -1, "read the password of an ncryptsec from the open file descriptor `N`")
	f.IntVar(&k.password.maxLogN, "max-log-n", defaultMaxLogN, "most work and memory that an ncryptsec may ask for: 2 to the `N` times 1 KiB")
	cmd.MarkFlagsMutuallyExclusive("password-file", "password-env", "password-fd")
	_ = cmd.MarkFlagFilename("key-file")
	_ = cmd.MarkFlagFilename("password-file")
}

func (k *keySources) count() int { return len(k.files) + len(k.envs) + len(k.fds) }

// usesStdin reports whether a key or its password is read from standard input.
func (k *keySources) usesStdin() bool {
	return slices.Contains(k.fds, 0) || k.password.fd == 0
}

// one loads the key of a command that takes exactly one.
func (k *keySources) one(warn func(string)) (*keys.SecretKey, error) {
	if k.count() != 1 {
		return nil, usageError("want exactly one of --key-file, --key-env and --key-fd")
	}
	all, err := k.all(warn)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// all loads the keys of a command that takes one or more: those of files
// first, then of variables, then of descriptors, each in the order given. No
// error quotes any of a key's text.
func (k *keySources) all(warn func(string)) ([]*keys.SecretKey, error) {
	if k.count() == 0 {
		return nil, usageError("want a secret key: --key-file, --key-env or --key-fd")
	}
	if k.password.maxLogN < 1 || k.password.maxLogN > maxLogN {
		return nil, usageError(fmt.Sprintf("--max-log-n: want 1 to %d", maxLogN))
	}
	var loaded []*keys.SecretKey
	add := func(from string, text []byte, err error) error {
		defer clear(text)
		if err == nil {
			var sk *keys.SecretKey
			if sk, err = k.parse(text); err == nil {
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
		text, err := readKeyFile(path, warn)
		if err := add("key file "+path, text, err); err != nil {
			return nil, err
		}
	}
	for _, name := range k.envs {
		value, ok := os.LookupEnv(name)
		var err error
		if !ok {
			err = errors.New("is not set")
		} else if len(value) > maxKeyText {
			err = errKeySize
		}
		if err := add("environment variable "+name, []byte(value), err); err != nil {
			return nil, err
		}
	}
	for _, fd := range k.fds {
		text, err := readKeyFD(fd)
		if err := add(fmt.Sprintf("file descriptor %d", fd), text, err); err != nil {
			return nil, err
		}
	}
	return loaded, nil
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
		return nil, errors.New("no descriptor to read a key from")
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

// parse reads hex, nsec or ncryptsec, white space around it dropped.
func (k *keySources) parse(text []byte) (*keys.SecretKey, error) {
	text = bytes.TrimSpace(text)
	hrp, _, found := bytes.Cut(bytes.ToLower(text), []byte{'1'})
	switch {
	case found && string(hrp) == "ncryptsec":
		return k.password.decryptNcryptsec(text)
	case found && string(hrp) == "npub":
		return nil, errNpub
	case found && string(hrp) == "nsec":
		d, err := decodeNIP19("nsec", string(text))
		defer clear(d[:])
		if err != nil {
			return nil, errNsec
		}
		return keys.NewSecretKey(d[:])
	case len(text) != 64:
		return nil, errKeyText
	}
	return keys.ParseSecretKey(string(text))
}
