package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"
	"golang.org/x/term"
	"golang.org/x/text/unicode/norm"

	"github.com/sealwright/sealwright/protocol/keys"
)

// NIP-49: version ‖ LOG_N ‖ salt ‖ nonce ‖ key security byte ‖ ciphertext.
const (
	ncryptsecVersion = 2
	ncryptsecLen     = 91
	maxLogN          = 22 // 4 GiB of memory
	defaultMaxLogN   = 20 // 1 GiB
)

var (
	errNcryptsec  = errors.New("not a valid ncryptsec (NIP-49)")
	errPassword   = errors.New("wrong password, or a damaged ncryptsec")
	errNoPassword = errors.New("an encrypted key (ncryptsec) needs a password: --password-file, --password-env, --password-fd, or a terminal")
)

// passwordSource are the flags by which a command is told where the password of
// an ncryptsec is. Without any it is asked for on the terminal.
type passwordSource struct {
	file, env string
	fd        int
	maxLogN   int
}

// password returns the password, which the caller wipes.
func (p *passwordSource) password() ([]byte, error) {
	var text []byte
	var err error
	switch {
	case p.file != "":
		text, err = readPasswordFile(p.file)
	case p.env != "":
		value, ok := os.LookupEnv(p.env)
		if !ok {
			return nil, fmt.Errorf("environment variable %s: is not set", p.env)
		}
		text = []byte(value)
	case p.fd >= 0:
		if text, err = readKeyFD(p.fd); err != nil {
			err = fmt.Errorf("password: file descriptor %d: %w", p.fd, err)
		}
	default:
		if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) {
			return nil, errNoPassword
		}
		fmt.Fprint(os.Stderr, "Password of the key: ")
		text, err = term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(os.Stderr)
	}
	if err != nil {
		return nil, err
	}
	// One line end is the editor's; other white space may be the password's.
	for _, end := range []byte{'\n', '\r'} {
		if n := len(text); n > 0 && text[n-1] == end {
			text = text[:n-1]
		}
	}
	return text, nil
}

func readPasswordFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("password file %s: %w", path, bareError(err))
	}
	defer f.Close()
	text, err := readKeyText(f)
	if err != nil {
		return nil, fmt.Errorf("password file %s: %w", path, err)
	}
	return text, nil
}

// decryptNcryptsec opens an encrypted key (NIP-49). LOG_N, which says how much
// memory is taken, comes from the string and is bounded before anything else.
func (p *passwordSource) decryptNcryptsec(text []byte) (*keys.SecretKey, error) {
	prefix, data, err := decodeBech32(string(text))
	if err != nil || prefix != "ncryptsec" || len(data) != ncryptsecLen || data[0] != ncryptsecVersion {
		return nil, errNcryptsec
	}
	logN := int(data[1])
	if logN < 1 || logN > p.maxLogN {
		return nil, fmt.Errorf("the ncryptsec asks for LOG_N %d, limit %d (--max-log-n)", logN, p.maxLogN)
	}
	salt, nonce, aad, ciphertext := data[2:18], data[18:42], data[42:43], data[43:]

	password, err := p.password()
	if err != nil {
		return nil, err
	}
	defer clear(password)
	normal := norm.NFKC.Bytes(password)
	defer clear(normal)
	key, err := scrypt.Key(normal, salt, 1<<logN, 8, 1, chacha20poly1305.KeySize)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	d, err := aead.Open(nil, nonce, ciphertext, aad)
	if err != nil {
		return nil, errPassword
	}
	defer clear(d)
	return keys.NewSecretKey(d)
}
