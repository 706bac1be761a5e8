//go:build linux

// Command init is the only program of the emulator's guest besides those that
// are to be tested: the kernel starts it as process 1, it runs the jobs of the
// initramfs, tells their output and exit status in frames, and stops the
// machine.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"unsafe"

	"github.com/sealwright/sealwright/tools/emulator/wire"
)

func main() {
	if err := run(); err != nil {
		fmt.Println("emulator init:", err) // on the console, which the host shows
	}
	// With reboot=t on the kernel's command line this ends in a triple fault,
	// which ends Bochs.
	if err := syscall.Reboot(syscall.LINUX_REBOOT_CMD_RESTART); err != nil {
		fmt.Println("emulator init: reboot:", err)
	}
}

func run() error {
	for _, m := range []struct{ kind, dir string }{
		{"devtmpfs", "/dev"}, {"proc", "/proc"}, {"sysfs", "/sys"},
	} {
		if err := os.MkdirAll(m.dir, 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(m.kind, m.dir, m.kind, 0, ""); err != nil {
			return fmt.Errorf("mount %s: %w", m.dir, err)
		}
	}
	if err := os.MkdirAll("/tmp", 0o1777); err != nil {
		return err
	}

	data, err := os.ReadFile(wire.JobsFile)
	if err != nil {
		return err
	}
	var jobs []wire.Job
	if err := json.Unmarshal(data, &jobs); err != nil {
		return err
	}
	port, err := openPort()
	if err != nil {
		return err
	}
	out := &frames{w: port}
	for _, job := range jobs {
		if err := out.write(wire.Start, nil); err != nil {
			return err
		}
		kind, answer := runJob(job, out)
		if err := out.write(kind, []byte(answer)); err != nil {
			return err
		}
	}
	if err := out.write(wire.Done, nil); err != nil {
		return err
	}
	return drain(port)
}

// runJob returns the frame that ends a job.
func runJob(job wire.Job, out *frames) (wire.Kind, string) {
	cmd := exec.Command(job.Program, job.Args...)
	cmd.Dir, cmd.Env = job.Dir, job.Env
	cmd.Stdout = stream{out, wire.Stdout}
	cmd.Stderr = stream{out, wire.Stderr}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return wire.Exit, "0"
	case errors.As(err, &exit):
		code := exit.ExitCode()
		if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() {
			code = 128 + int(s.Signal())
		}
		return wire.Exit, strconv.Itoa(code)
	default:
		return wire.Failed, err.Error()
	}
}

// frames lets the two streams of a program share the port.
type frames struct {
	mu sync.Mutex
	w  io.Writer
}

func (f *frames) write(kind wire.Kind, payload []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return wire.Write(f.w, kind, payload)
}

type stream struct {
	out  *frames
	kind wire.Kind
}

func (s stream) Write(p []byte) (int, error) {
	if err := s.out.write(s.kind, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// openPort opens the port of the frames in raw mode: a terminal would turn
// every \n into \r\n.
func openPort() (*os.File, error) {
	fd, err := syscall.Open(wire.Device, syscall.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wire.Device, err)
	}
	raw := syscall.Termios{Cflag: syscall.B115200 | syscall.CS8 | syscall.CLOCAL}
	raw.Cc[syscall.VMIN] = 1
	if err := ioctl(uintptr(fd), syscall.TCSETS, uintptr(unsafe.Pointer(&raw))); err != nil {
		return nil, fmt.Errorf("%s: raw mode: %w", wire.Device, err)
	}
	return os.NewFile(uintptr(fd), wire.Device), nil
}

// drain waits until the last byte has left the port.
func drain(port *os.File) error {
	const tcsbrk = 0x5409 // with an argument that is not 0: tcdrain
	return ioctl(port.Fd(), tcsbrk, 1)
}

func ioctl(fd, request, argument uintptr) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, argument); errno != 0 {
		return errno
	}
	return nil
}
