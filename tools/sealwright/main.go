// Command sealwright works on Nostr gift wraps, events and keys. CLI.md, beside
// this file, is its contract.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := withSignals(context.Background())
	defer stop()
	ignoreBrokenPipe()

	root := newRoot()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	code, print := exitCode(err)
	if print {
		fmt.Fprintf(os.Stderr, "sealwright: %v\n", err)
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
