//go:build unix

package main

import "os"

// openTerminal returns the terminal of this process, whatever its standard
// streams are, or failing that those streams if they are terminals.
func openTerminal() (in, out *os.File, err error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return streamTerminal()
	}
	return tty, tty, nil
}
