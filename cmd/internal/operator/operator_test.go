package operator

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A configuration is read and checked; one that is missing is no bad one.
func TestReadConfig(t *testing.T) {
	refused := errors.New("refused")
	for _, c := range []struct {
		name, text string
		check      error
		want       error
	}{
		{"good", "a = 1", nil, nil}, {"unknown name", "b = 1", nil, ErrConfig}, {"no TOML", "a = ", nil, ErrConfig}, {"checked", "a = 1", refused, refused},
		{"as long as may be", "a = 1" + strings.Repeat("\n", maxConfig-5), nil, nil},
		{"too long", "a = 1" + strings.Repeat("\n", maxConfig-4), nil, ErrConfig},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			var v struct{ A int }
			if err := ReadConfig(path, &v, func() error { return c.check }); !errors.Is(err, c.want) || c.want == nil && (err != nil || v.A != 1) {
				t.Errorf("%+v %v", v, err)
			}
		})
	}
	if err := ReadConfig(filepath.Join(t.TempDir(), "none"), nil, nil); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrConfig) {
		t.Error(err)
	}
}

func TestExamination(t *testing.T) {
	var out bytes.Buffer
	e := Examination{Out: &out}
	e.Say("one", nil)
	if err := e.End(); err != nil {
		t.Error(err)
	}
	e.Say("two", errors.New("gone"))
	if err := e.End(); err == nil || err.Error() != "1 things are not as they should be" || out.String() != "ok   one\nBAD  two: gone\n" {
		t.Errorf("%v %q", err, &out)
	}
}

// A program is asked over its socket; that there is none, and a refusal, are told.
func TestAsk(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	var out bytes.Buffer
	ask := func(path string) error { return Ask(t.Context(), socket, "runner", http.MethodGet, path, &out) }
	if err := ask("/status"); err == nil || !strings.Contains(err.Error(), "no runner is up") {
		t.Error(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("well")) })
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	if err := ask("/status"); err != nil || out.String() != "well" {
		t.Errorf("%v %q", err, &out)
	}
	if err := ask("/other"); err == nil || !strings.Contains(err.Error(), "the runner answers 404") {
		t.Error(err)
	}
}
