// Command plumb does at the command line everything a person can do at the desk without looking at a picture.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"plumbline/backend/fault"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// face is where a command writes: the result to out, progress and warnings to diag.
type face struct {
	out, diag io.Writer
	json      bool   // one JSON document (or JSON lines) instead of text
	quiet     bool   // no progress
	workspace string // folder, from --workspace or PLUMBLINE_WORKSPACE
	seat      string // of a workspace that is created: "coordinator" or a reader's code
}

// run is the whole program: it gives the exit code.
func run(ctx context.Context, args []string, out, diag io.Writer) int {
	f := &face{out: out, diag: diag}
	root := &cobra.Command{
		Use: "plumb", Short: "Plumbline at the command line",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(diag)
	flags := root.PersistentFlags()
	flags.BoolVar(&f.json, "json", false, "write JSON to standard output")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	flags.StringVar(&f.workspace, "workspace", os.Getenv("PLUMBLINE_WORKSPACE"), "workspace folder")
	flags.StringVar(&f.seat, "seat", "coordinator", "for whom a workspace is made that is missing: coordinator, or a reader's code")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &fault.Error{Op: "read the command line", Kind: fault.Usage, Err: err}
	})
	for _, command := range commands {
		root.AddCommand(command(f))
	}
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(diag, "plumb:", err)
	var f2 *fault.Error
	if !errors.As(err, &f2) && ctx.Err() == nil && isUsage(err) {
		return fault.Usage.Exit()
	}
	return fault.KindOf(err).Exit()
}

// isUsage tells cobra's own complaints (unknown command, wrong number of arguments), which carry no type.
func isUsage(err error) bool { return fault.KindOf(err) == fault.Internal }

// print writes v as one indented JSON document.
func (f *face) print(v any) error {
	e := json.NewEncoder(f.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// line writes v as one line of JSON.
func (f *face) line(v any) error {
	e := json.NewEncoder(f.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// say writes one line of text.
func (f *face) say(format string, args ...any) { fmt.Fprintf(f.out, format+"\n", args...) }
