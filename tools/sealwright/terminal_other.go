//go:build !unix

package main

import "os"

// openTerminal returns the standard streams if they are terminals.
func openTerminal() (in, out *os.File, err error) { return streamTerminal() }
