//go:build unix

package testfiles

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Llama starts the llama-server of the shared tools with a tiny model of a kind (idefics3, qwen25vl), and gives its address. PLUMBLINE_LLAMA
// names the folder into which tools/llama/get.sh unpacked the server and tools/tinyvlm wrote the models.
func Llama(t testing.TB, kind string, more ...string) (address string) {
	t.Helper()
	dir := os.Getenv("PLUMBLINE_LLAMA")
	if dir == "" {
		Missing(t, "needs a real model server: PLUMBLINE_LLAMA names no folder of tools/llama/get.sh")
	}
	if _, err := os.Stat(filepath.Join(dir, "models", kind, "text.gguf")); err != nil {
		Missing(t, "needs the model "+kind+" of tools/tinyvlm in PLUMBLINE_LLAMA: "+err.Error())
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := fmt.Sprint(free.Addr().(*net.TCPAddr).Port)
	free.Close()
	var log bytes.Buffer
	cmd := exec.Command(Shared(t, "tools", "llama", "serve.sh"), append([]string{dir, kind, port}, more...)...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &log, &log, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		Missing(t, "the real model server does not start: "+err.Error())
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	base := "http://127.0.0.1:" + port
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	late := time.After(60 * time.Second)
	for {
		if r, err := http.Get(base + "/health"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return base
			}
		}
		select {
		case <-tick.C:
		case err := <-ended:
			ended <- err
			Missing(t, "the real model server ended: "+log.String())
		case <-late:
			t.Fatal("the real model server is not ready after 60 s")
		}
	}
}
