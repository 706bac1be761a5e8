package main

import (
	"context"
	"errors"
	"fmt"
	"math"
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

	maxNFKC = 11 // a text in UTF-8 becomes at most so many times longer (UAX #15)
)

var (
	errNcryptsec  = errors.New("not a valid ncryptsec (NIP-49)")
	errPassword   = errors.New("wrong password, or a damaged ncryptsec")
	errNoPassword = errors.New("an encrypted key (ncryptsec) needs a password: --password-file, --password-env, --password-fd, or a terminal")
)

// passwordSource are the flags by which a command is told where the password of
// an ncryptsec is. Without any it is asked for on the terminal, for each key
// anew.
type passwordSource struct {
	file, env string
	fd        int // noFD when none was named
	maxLogN   int

	known []byte // what the source gave; several keys share it
}

const noFD = math.MinInt // what nobody writes

// read returns the password of the key that is named, which stays valid until
// wipe.
func (p *passwordSource) read(ctx context.Context, key string) ([]byte, error) {
	if p.known != nil {
		return p.known, nil
	}
	var text []byte
	var err error
	switch {
	case p.file != "":
		text, err = await(ctx, func() ([]byte, error) { return readPasswordFile(p.file) })
	case p.env != "":
		if text, err = readKeyEnv(p.env); err != nil {
			err = fmt.Errorf("environment variable %s: %w", p.env, err)
		}
	case p.fd != noFD:
		if text, err = await(ctx, func() ([]byte, error) { return readKeyFD(p.fd) }); err != nil {
			err = fmt.Errorf("password: file descriptor %d: %w", p.fd, err)
		}
	default:
		return askPassword(ctx, "Password of "+key+": ")
	}
	if err != nil {
		return nil, err
	}
	p.known = text
	// One line end is the editor's; other white space may be the password's.
	for _, end := range []byte{'\n', '\r'} {
		if n := len(p.known); n > 0 && p.known[n-1] == end {
			p.known = p.known[:n-1]
		}
	}
	return p.known, nil
}

// done wipes a password of which no other key has need.
func (p *passwordSource) done(password []byte) {
	if p.known == nil {
		clear(password)
	}
}

func (p *passwordSource) wipe() {
	clear(p.known)
	p.known = nil
}

// streamTerminal returns standard input and standard error if both are
// terminals.
func streamTerminal() (in, out *os.File, err error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil, nil, errNoPassword
	}
	return os.Stdin, os.Stderr, nil
}

// askPassword asks on the terminal of the process, which need not be standard
// input: that may be a pipe. The end of ctx gives the terminal its echo back.
func askPassword(ctx context.Context, prompt string) ([]byte, error) {
	in, out, err := openTerminal()
	if err != nil {
		return nil, err
	}
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	defer fmt.Fprintln(out)
	fmt.Fprint(out, prompt)
	text, err := await(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	if err != nil {
		_ = term.Restore(fd, before) // the read that was left behind had turned the echo off
		return nil, err
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
func (p *passwordSource) decryptNcryptsec(ctx context.Context, from string, text []byte) (*keys.SecretKey, error) {
	prefix, data, err := decodeBech32(viewString(text))
	if err != nil || prefix != "ncryptsec" || len(data) != ncryptsecLen || data[0] != ncryptsecVersion {
		return nil, errNcryptsec
	}
	logN := int(data[1])
	if logN < 1 || logN > p.maxLogN {
		return nil, fmt.Errorf("the ncryptsec asks for LOG_N %d, limit %d (--max-log-n)", logN, p.maxLogN)
	}
	salt, nonce, aad, ciphertext := data[2:18], data[18:42], data[42:43], data[43:]

	password, err := p.read(ctx, from)
	if err != nil {
		return nil, err
	}
	defer p.done(password)
	normal := norm.NFKC.Append(make([]byte, 0, maxNFKC*len(password)), password...)
	key, err := await(ctx, func() ([]byte, error) {
		defer clear(normal)
		return scrypt.Key(normal, salt, 1<<logN, 8, 1, chacha20poly1305.KeySize)
	})
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
