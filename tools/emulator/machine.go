//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sealwright/sealwright/tools/emulator/wire"
)

// Where Debian's packages bochs, bochsbios, isolinux and syslinux-common put
// what a machine boots from.
const (
	bochsProgram = "bochs-bin" // bochs is a script that kills cannot reach through
	bios         = "/usr/share/bochs/BIOS-bochs-latest"
	vgaBIOS      = "/usr/share/bochs/VGABIOS-lgpl-latest"
	isolinux     = "/usr/lib/ISOLINUX/isolinux.bin"
	ldlinux      = "/usr/lib/syslinux/modules/bios/ldlinux.c32"
)

// kernelArgs: init's reboot is to be a triple fault, which ends Bochs, and so
// is a panic.
//
// clearcpuid hides from the kernel, not from programs, what Bochs 2.7 gets
// wrong or lacks. Leaf 0xd of its CPUID leaves out the state of protection keys
// (features 515, PKU, and 516, OSPKE). Linux finds the sum of the sizes wrong
// then, turns XSAVE off, and AVX with it. Without XSAVEC and XSAVES (321, 323)
// it takes the standard layout, which Bochs describes rightly. APERFMPERF (124)
// has no counters to read.
//
// The kernel's tests of its own cryptography would take half of the boot.
const kernelArgs = "console=ttyS0,115200 panic=-1 reboot=t rdinit=/init " +
	"clearcpuid=124,321,323,515,516 " +
	"quiet mitigations=off nokaslr lsm= audit=0 cryptomgr.notests nowatchdog tsc=reliable"

// msrs defines registers that Bochs lacks. With bit 0 of 0x1a0 unset, Linux
// would not use the string instructions, which Bochs runs fast.
const msrs = "0x1a0 0 00000000 00000001 00000000 00000000 00000000 00000000\n"

// bochsrc has its clock follow the instructions, not the host's clock: the
// guest's seconds take as long as they take.
const bochsrc = `config_interface: textconfig
display_library: term
plugin_ctrl: unmapped=0, speaker=0, parallel=0, gameport=0, iodebug=0
cpu: model=%s, count=1, ips=50000000, reset_on_triple_fault=0, ignore_bad_msrs=1, msrs="msrs.def"
memory: guest=%[2]d, host=%[2]d
romimage: file=` + bios + `, options=fastboot
vgaromimage: file=` + vgaBIOS + `
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path=boot.iso, status=inserted
ata1: enabled=0
boot: cdrom
clock: sync=none, time0=utc
log: bochs.log
panic: action=fatal
error: action=ignore
info: action=report
debug: action=ignore
com1: enabled=1, mode=socket-client, dev=%s
com2: enabled=1, mode=socket-client, dev=%s
`

// machine is one start of the emulated computer.
type machine struct {
	model  string // of the processor, from the list of bochs --help cpu
	memory int    // MiB
	init   string // path of the guest's init, on the host
	kernel string
}

// result is how a job ended.
type result struct {
	code int
	took time.Duration // on the host's clock
}

// errStopped is why a run has fewer results than jobs.
var errStopped = errors.New("the machine stopped before the last program had ended")

// run boots the machine and lets it do the jobs, whose files lie in the
// archive. Before each job it asks open for the streams to copy the job's
// output to, after each it calls done. It returns how long the boot took.
func (m *machine) run(ctx context.Context, files *archive, jobs []wire.Job,
	open func(job int) (stdout, stderr io.Writer), done func(job int, r result)) (boot time.Duration, err error) {

	started := time.Now()
	dir, err := os.MkdirTemp("", "emulator")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := m.image(dir, files, jobs); err != nil {
		return 0, err
	}
	console, err := newPort()
	if err != nil {
		return 0, err
	}
	defer console.Close()
	frames, err := newPort()
	if err != nil {
		return 0, err
	}
	defer frames.Close()
	config := fmt.Sprintf(bochsrc, m.model, m.memory, console.Addr(), frames.Addr())
	for name, data := range map[string]string{"bochsrc": config, "msrs.def": msrs, "commands": "continue\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			return 0, err
		}
	}

	// The death signal comes when the thread ends that started Bochs.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Debian's Bochs has its debugger built in, which waits for a command.
	bochs := exec.CommandContext(ctx, bochsProgram, "-q", "-f", "bochsrc", "-rc", "commands")
	bochs.Dir = dir
	bochs.Env = append(os.Environ(), "TERM=vt100") // the screen goes nowhere
	bochs.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:   true, // a Ctrl-C would be for the debugger
		Pdeathsig: syscall.SIGKILL,
	}
	if err := bochs.Start(); err != nil {
		return 0, err
	}
	var (
		copying sync.WaitGroup
		screen  bytes.Buffer
	)
	copying.Go(func() {
		if c, err := console.Accept(); err == nil {
			io.Copy(&screen, c)
			c.Close()
		}
	})
	ended := make(chan struct{})
	go func() {
		bochs.Wait()
		console.Close() // in case that Bochs never connected
		frames.Close()
		close(ended)
	}()

	boot, err = answers(frames, started, len(jobs), open, done)
	cause := context.Cause(ctx)
	if err != nil && cause == nil {
		// What Bochs has to say is in its log once it ends by itself.
		select {
		case <-ended:
		case <-time.After(2 * time.Second):
		}
	}
	cancel()
	<-ended
	copying.Wait()
	if err == nil {
		return boot, nil
	}
	if cause != nil {
		return boot, fmt.Errorf("%w: %w", errStopped, cause)
	}
	log, _ := os.ReadFile(filepath.Join(dir, "bochs.log"))
	return boot, fmt.Errorf("%w: %w\n--- console\n%s\n--- bochs\n%s", errStopped, err,
		lastLines(screen.Bytes(), 30), lastLines(log, 10))
}

// answers reads the frames of all jobs.
func answers(l net.Listener, started time.Time, jobs int,
	open func(int) (io.Writer, io.Writer), done func(int, result)) (boot time.Duration, err error) {

	conn, err := l.Accept()
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	var (
		job            = -1
		begin          time.Time
		stdout, stderr io.Writer
	)
	for {
		kind, payload, err := wire.Read(conn)
		if err != nil {
			return boot, err
		}
		switch kind {
		case wire.Start:
			begin = time.Now()
			if job++; job == 0 {
				boot = begin.Sub(started)
			}
			stdout, stderr = open(job)
		case wire.Stdout:
			_, err = stdout.Write(payload)
		case wire.Stderr:
			_, err = stderr.Write(payload)
		case wire.Failed:
			return boot, errors.New(string(payload))
		case wire.Exit:
			var r result
			if r.code, err = strconv.Atoi(string(payload)); err == nil {
				r.took = time.Since(begin)
				done(job, r)
			}
		case wire.Done:
			if job != jobs-1 {
				return boot, fmt.Errorf("%d programs ran, want %d", job+1, jobs)
			}
			return boot, nil
		}
		if err != nil {
			return boot, err
		}
	}
}

// image writes boot.iso.
func (m *machine) image(dir string, files *archive, jobs []wire.Job) error {
	init, err := os.ReadFile(m.init)
	if err != nil {
		return err
	}
	list, err := json.Marshal(jobs)
	if err != nil {
		return err
	}
	files.add("/init", init)
	files.add(wire.JobsFile, list)
	files.addDir("/tmp")

	tree := filepath.Join(dir, "iso")
	if err := os.Mkdir(tree, 0o700); err != nil {
		return err
	}
	menu := "DEFAULT linux\nLABEL linux\nKERNEL vmlinuz\nINITRD initrd\nAPPEND " + kernelArgs + "\n"
	for name, data := range map[string][]byte{"isolinux.cfg": []byte(menu), "initrd": files.bytes()} {
		if err := os.WriteFile(filepath.Join(tree, name), data, 0o600); err != nil {
			return err
		}
	}
	for name, from := range map[string]string{"vmlinuz": m.kernel, "isolinux.bin": isolinux, "ldlinux.c32": ldlinux} {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(tree, name), data, 0o600); err != nil {
			return err
		}
	}
	_, err = output(dir, "xorriso", "-as", "mkisofs", "-quiet", "-o", "boot.iso", "-b", "isolinux.bin",
		"-c", "boot.cat", "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table", "iso")
	return err
}

// newPort listens for the end of a serial port that Bochs connects to.
func newPort() (net.Listener, error) { return net.Listen("tcp4", "127.0.0.1:0") }

func lastLines(text []byte, n int) string {
	lines := strings.Split(strings.TrimRight(string(text), "\r\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// missing names the Debian packages whose files are not there.
func missing() (packages []string) {
	for _, p := range []struct{ name, file string }{
		{"bochs", "/usr/bin/" + bochsProgram},
		{"bochsbios", bios},
		{"bochs-term", "/usr/lib/x86_64-linux-gnu/bochs/plugins/libbx_term_gui.so"},
		{"isolinux", isolinux},
		{"syslinux-common", ldlinux},
		{"xorriso", "/usr/bin/xorriso"},
	} {
		if _, err := os.Stat(p.file); err != nil {
			packages = append(packages, p.name)
		}
	}
	return packages
}
