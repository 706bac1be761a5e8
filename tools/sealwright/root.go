package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// newRoot makes the command tree. Help, version and completion go to help.
func newRoot(help io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "sealwright",
		Short: "Nostr private messages: open and make gift wraps, sign, verify, encrypt",
		Long: `sealwright opens and makes Nostr gift wraps (NIP-59), signs and verifies events
(NIP-01), encrypts and decrypts payloads (NIP-44), reads and writes NIP-19
strings, makes keys, and tells what the kernels of this machine do.

Results go to standard output, everything else to standard error.
Exit codes: 0 all good, 1 usage or I/O, 2 some lines failed, 130 and 143
stopped by SIGINT and SIGTERM.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			if cmd.Annotations[tellsCPU] == "" {
				warnCPU(warner(cmd.ErrOrStderr()))
			}
		},
	}
	root.SetOut(help)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.AddCommand(
		newUnwrap(), newWrap(), newSign(), newVerify(), newEncrypt(), newDecrypt(),
		newKeygen(), newPubkey(), newEncode(), newDecode(), newCPU(), newSelftest(),
	)
	for _, c := range root.Commands() {
		switch c.Name() {
		case "keygen", "pubkey", "encode", "decode", "cpu", "selftest":
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err)
	}
	completion.Annotations = tellsNothing
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return usageError("want bash, zsh, fish or powershell")
	}
	for _, shell := range completion.Commands() {
		shell.Annotations = tellsNothing
		shell.Args = usageArgs(cobra.NoArgs)
	}
	return root
}

// tellsCPU marks commands that need no warning about SEALWRIGHT_CPU: they have
// an error for it, or run no kernel.
const tellsCPU = "cpu"

var tellsNothing = map[string]string{tellsCPU: "nothing"}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:         "help [COMMAND]",
		Short:       "Help on a command",
		Annotations: tellsNothing,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, c := range of.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError(err.Error())
			}
			if len(rest) > 0 {
				return unknownCommand(of, rest[0])
			}
			of.InitDefaultHelpFlag()
			of.InitDefaultVersionFlag()
			return of.Help()
		},
	}
}

// unknownCommand is the error for a word that is no command of parent, with the
// likeliest one that was meant.
func unknownCommand(parent *cobra.Command, word string) error {
	message := fmt.Sprintf("unknown command %q for %q", word, parent.CommandPath())
	parent.SuggestionsMinimumDistance = 2
	if near := parent.SuggestionsFor(word); len(near) > 0 {
		message += fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
	}
	return usageError(message)
}

// version is that of the module, "(devel)" in a clone.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// flagError makes a flag's error a usage error, and says of a number that is
// none no more than that.
func flagError(err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) && strings.Contains(value.GetFlag().Value.Type(), "int") {
		return usageError(fmt.Sprintf("--%s: %q is no number, or out of range", value.GetFlag().Name, value.GetValue()))
	}
	return usageError(err.Error())
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
func write(b []byte) error {
	_, err := os.Stdout.Write(b)
	return outputError(err)
}

// A keeper writes what the command library prints: help, version, completion.
// The library loses errors of writing, or tells of them in its own words; err
// keeps the first.
type keeper struct {
	w   io.Writer
	err error
}

func (k *keeper) Write(b []byte) (int, error) {
	if k.err == nil {
		_, k.err = k.w.Write(b)
	}
	return len(b), nil
}
