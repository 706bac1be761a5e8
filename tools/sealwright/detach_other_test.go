//go:build !unix

package main

import "os/exec"

// detach has nothing to do: only the standard streams are asked for a terminal,
// and those of a test are none.
func detach(*exec.Cmd) {}
