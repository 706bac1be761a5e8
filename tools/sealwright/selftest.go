package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealwright/sealwright/kernels/cpu"
)

// An answer is a published value that the code must reproduce.
type answer struct {
	name string
	run  func() error
}

// A verdict is the outcome of one answer with one tier of one kernel.
type verdict struct {
	Kernel  string `json:"kernel"`
	Tier    string `json:"tier"`
	Answer  string `json:"answer,omitempty"`
	Result  string `json:"result"`
	Message string `json:"message,omitempty"`
}

const (
	resultOK            = "ok"
	resultFail          = "fail"
	resultNotApplicable = "n/a"
)

func newSelftest() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Run known answers through every tier that this machine has",
		Long: `selftest runs published answers (RFC 8439, FIPS 180-4, RFC 4231, RFC 5869,
RFC 4648, BIP-340, NIP-44, the example of NIP-59) through every tier of every
kernel that this machine has, one line each. It exits with 2 when one fails.`,
		Args:        usageArgs(cobra.NoArgs),
		Annotations: tellsNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, unknown := cpu.Report()
			failed := false
			for v := range verdicts(info) {
				failed = failed || v.Result == resultFail
				text := v.appendText(nil)
				if asJSON {
					text = appendJSONLine(nil, v)
				}
				if err := write(text); err != nil {
					return err
				}
			}
			if failed {
				return errSome
			}
			return unknown
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON objects")
	return cmd
}

// verdicts runs the answers tier by tier: those of the tier's own kernel, then
// those of the protocol.
func verdicts(info cpu.Info) func(yield func(*verdict) bool) {
	return func(yield func(*verdict) bool) {
		for _, k := range info.Kernels {
			for _, t := range k.Tiers {
				v := verdict{Kernel: k.Name, Tier: t.Name}
				own := kernelAnswers[k.Name]
				switch {
				case !t.Available:
					v.Result, v.Message = resultNotApplicable, "this CPU lacks one of: "+strings.Join(t.Needs, ", ")
				case own == nil:
					v.Result, v.Message = resultFail, "no known answers for this kernel"
				}
				if v.Result != "" {
					if !yield(&v) {
						return
					}
					continue
				}
				for _, a := range append(own[:len(own):len(own)], protocolAnswers...) {
					v := verdict{Kernel: k.Name, Tier: t.Name, Answer: a.name, Result: resultOK}
					if err := runForced(k.Name, t.Name, a); err != nil {
						v.Result, v.Message = resultFail, err.Error()
					}
					if !yield(&v) {
						return
					}
				}
			}
		}
	}
}

// runForced runs an answer with a tier selected. A panic is a failure too.
func runForced(kernel, tier string, a answer) (err error) {
	var f force
	defer f.undo()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	cpu.Force(&f, kernel, tier)
	return a.run()
}

// force is what cpu.Force wants of a test.
type force struct{ cleanups []func() }

func (f *force) Helper()                           {}
func (f *force) Cleanup(g func())                  { f.cleanups = append(f.cleanups, g) }
func (f *force) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (f *force) undo() {
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
}

func (v *verdict) appendText(dst []byte) []byte {
	word := map[string]string{resultOK: "ok", resultFail: "FAIL", resultNotApplicable: "n/a"}[v.Result]
	dst = fmt.Appendf(dst, "%-5s %-20s", word, v.Kernel+"/"+v.Tier)
	if v.Answer != "" {
		dst = append(append(dst, ' '), v.Answer...)
	}
	if v.Message != "" {
		if v.Answer != "" {
			dst = append(dst, ':')
		}
		dst = append(append(dst, ' '), v.Message...)
	}
	return append(dst, '\n')
}
