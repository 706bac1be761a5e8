package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Exit codes, see CLI.md.
const (
	exitOK     = 0
	exitFailed = 1 // usage, key, I/O
	exitSome   = 2 // some lines or answers failed
)

// errSome ends a command that was carried out while some lines failed. They
// have been reported.
var errSome = errors.New("some lines failed")

// usageError is an error of the command's arguments.
type usageError string

func (e usageError) Error() string { return string(e) }

// A signalError is the cause of a context that a signal ended.
type signalError struct{ signal syscall.Signal }

func (e signalError) Error() string { return "stopped by signal: " + e.signal.String() }

// exitCode returns the code for a command's error and whether the error is to
// be printed.
func exitCode(err error) (code int, print bool) {
	var sig signalError
	switch {
	case err == nil:
		return exitOK, false
	case errors.Is(err, errSome):
		return exitSome, false
	case errors.As(err, &sig):
		return 128 + int(sig.signal), false
	case errors.Is(err, errOutputGone), errors.Is(err, errErrorsLost):
		return exitFailed, false
	}
	return exitFailed, true
}

// errOutputGone is a write to standard output that nobody reads any more.
var errOutputGone = errors.New("standard output: nobody reads it")

func outputError(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.EPIPE) {
		return errOutputGone
	}
	return fmt.Errorf("standard output: %w", bareError(err))
}

// bareError takes operation and path from a file error, for messages that name
// the file themselves.
func bareError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var sys *os.SyscallError
	if errors.As(err, &sys) {
		return sys.Err
	}
	return err
}
