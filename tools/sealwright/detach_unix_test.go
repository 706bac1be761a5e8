//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach runs a program in a session of its own, which has no terminal.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
