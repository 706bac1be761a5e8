//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreBrokenPipe makes a write that nobody reads fail with EPIPE, standard
// output too, instead of ending the program.
func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }
