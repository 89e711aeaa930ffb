package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plumbline/backend/fault"
)

// passphraseVariable may hold a passphrase. An argument never does: others on the machine can see arguments.
const passphraseVariable = "PLUMBLINE_PASSPHRASE"

// passphrase is where a passphrase comes from: a file, PLUMBLINE_PASSPHRASE, or whoever sits at the terminal.
type passphrase struct{ file string }

func (p *passphrase) flag(c *cobra.Command) {
	c.Flags().StringVar(&p.file, "passphrase-file", "", "a file whose first line is the passphrase; - is standard input. Else "+passphraseVariable+", else the terminal is asked")
}

// given reads a passphrase that was given beforehand; "" where none was.
func (p passphrase) given() (string, error) {
	const op = "load passphrase"
	if p.file == "" {
		return os.Getenv(passphraseVariable), nil
	}
	in := io.Reader(os.Stdin)
	if p.file != "-" {
		file, err := os.Open(p.file)
		if err != nil {
			return "", fault.In(op, p.file, err)
		}
		defer file.Close()
		in = file
	}
	const longest = 4096
	line, err := bufio.NewReader(io.LimitReader(in, longest)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fault.New(fault.IO, op, p.file, "%w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", fault.New(fault.Usage, op, p.file, "its first line is empty")
	}
	return line, nil
}

// try opens something with the passphrase that was given, or without; where that does not do and somebody sits at a terminal, that person is
// asked once.
func (p passphrase) try(f *face, open func(secret string) error) error {
	secret, err := p.given()
	if err != nil {
		return err
	}
	err = open(secret)
	if fault.KindOf(err) != fault.Refused || secret != "" || !term.IsTerminal(int(os.Stdin.Fd())) || !strings.Contains(err.Error(), "passphrase") {
		return err
	}
	if secret, err = ask(f, "Passphrase: "); err != nil {
		return err
	}
	return open(secret)
}

// chosen gives the passphrase for something new: at a terminal it is asked for twice. "" where there is none.
func (p passphrase) chosen(f *face) (string, error) {
	secret, err := p.given()
	if err != nil || secret != "" || !term.IsTerminal(int(os.Stdin.Fd())) {
		return secret, err
	}
	if secret, err = ask(f, "Passphrase for the package: "); err != nil {
		return "", err
	}
	again, err := ask(f, "The same once more: ")
	if err == nil && again != secret {
		err = fault.New(fault.Usage, "ask for a passphrase", "", "the two are not the same")
	}
	return secret, err
}

// ask reads a line from the terminal without showing it.
func ask(f *face, prompt string) (string, error) {
	fmt.Fprint(f.diag, prompt)
	b, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(f.diag)
	if err != nil {
		return "", fault.New(fault.IO, "ask for a passphrase", "", "%w", err)
	}
	return string(b), nil
}
