// Command sealwright opens and makes Nostr gift wraps (NIP-59), signs and
// verifies events (NIP-01), encrypts and decrypts payloads (NIP-44), reads and
// writes NIP-19 strings, makes keys, and tells what the kernels of this machine
// do. CLI.md, beside this file, is its contract.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"unicode/utf8"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := withSignals(context.Background())
	defer stop()
	ignoreBrokenPipe()

	help := &keeper{w: os.Stdout}
	root := newRoot(help)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = outputError(help.err)
	}
	code, print := exitCode(err)
	if print {
		fmt.Fprintf(os.Stderr, "sealwright: %s\n", oneLine(redact(err.Error())))
		var usage usageError
		if errors.As(err, &usage) {
			fmt.Fprintf(os.Stderr, "See '%s --help'.\n", cmd.CommandPath())
		}
	}
	return code
}

// withSignals returns a context that the first SIGINT or SIGTERM ends, with a
// signalError as its cause. The second one has its usual effect.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			number, _ := s.(syscall.Signal)
			cancel(signalError{number})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// secretText is what looks like a secret key that was given as an argument by
// mistake; the messages of the command library quote arguments.
var secretText = regexp.MustCompile(`(?i)(nsec|ncryptsec)1[a-z0-9]+|\b[0-9a-f]{64}\b`)

func redact(message string) string { return secretText.ReplaceAllString(message, "<redacted>") }

// oneLine keeps a message to one line, and a terminal from being driven by a
// file name in it.
func oneLine(message string) string {
	return strings.Map(func(r rune) rune {
		if !printable(r) {
			return utf8.RuneError
		}
		return r
	}, message)
}
