package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/kernels/cpu"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sealwright",
		Short: "Nostr private messages: open and make gift wraps, sign, verify, encrypt",
		Long: `sealwright opens and makes Nostr gift wraps (NIP-59), signs and verifies events
(NIP-01), encrypts and decrypts payloads (NIP-44), reads and writes NIP-19
strings, makes keys, and tells what the kernels of this machine do.

Results go to standard output, everything else to standard error.
Exit codes: 0 all good, 1 usage or I/O, 2 some lines failed.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(err.Error()) })
	root.AddCommand(
		newUnwrap(), newWrap(), newSign(), newVerify(), newEncrypt(), newDecrypt(),
		newKeygen(), newPubkey(), newEncode(), newDecode(), newCPU(), newSelftest(),
	)
	return root
}

// version is that of the module, "(devel)" in a clone.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// usageArgs makes an argument check's errors usage errors.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError(err.Error())
		}
		return nil
	}
}

// warner prints warnings to w.
func warner(w io.Writer) func(string) {
	return func(message string) { fmt.Fprintf(w, "sealwright: warning: %s\n", message) }
}

// warnCPU tells of words in SEALWRIGHT_CPU that mean nothing.
func warnCPU(warn func(string)) {
	if _, err := cpu.Report(); err != nil {
		warn(err.Error())
	}
}

// write sends the whole output of a short command to standard output.
func write(cmd *cobra.Command, b []byte) error {
	_, err := cmd.OutOrStdout().Write(b)
	return outputError(err)
}
