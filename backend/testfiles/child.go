package testfiles

import (
	"bufio"
	"cmp"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// Kill runs this test program again with one more environment variable ("NAME=value"), reads the lines that it prints, and kills it once
// there are more than after. What the child does at that moment is left to chance. It gives the lines of the given length: a line that the
// kill cut short says nothing.
func Kill(t testing.TB, environment string, after, length int) (lines []string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), environment)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	for n := 0; said.Scan(); n++ {
		if line := said.Text(); len(line) == length {
			lines = append(lines, line)
		}
		if n == after {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = child.Wait() // it was killed
	return lines
}

// Kills is how often a test kills its child: as PLUMBLINE_KILLS says, else a few times.
func Kills(t testing.TB, few int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("PLUMBLINE_KILLS"), strconv.Itoa(few)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
