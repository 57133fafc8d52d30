package work

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// A job that requires a trusted environment gets what its program prints, if that is of this result and of the type asked for; a program that fails, or prints
// something else, gives no result.
//
// Spec: tee §2.1, §4; runner-marketplace §6.1.
func TestResultsAreAttestedByTheEnvironment(t *testing.T) {
	id, who, sev, tdx := digest.Hash{1}, account.Address{2}, "sev", "tdx"
	e := tee.Evidence{Type: tee.TDX, Measurement: digest.Hash{3}, Data: digest.SHA256([]byte("blue")), Signature: make([]byte, 64)}
	other := e
	other.Data[0] ^= 1
	asked := filepath.Join(t.TempDir(), "asked")
	prints := func(e tee.Evidence) string {
		return fmt.Sprintf("cat > %s; echo %s", asked, hex.EncodeToString(e.Encode()))
	}
	for name, c := range map[string]struct {
		program string
		kind    *string
		want    ErrorKind
		ok      bool
	}{
		"as it is":         {program: prints(e), ok: true},
		"of its type":      {program: prints(e), kind: &tdx, ok: true},
		"of another type":  {program: prints(e), kind: &sev, want: Refused},
		"another result":   {program: prints(other), want: Permanent},
		"no digits":        {program: "echo blue", want: Transient},
		"nothing":          {program: "true", want: Permanent},
		"a failure":        {program: "exit 1", want: Transient},
		"more than it may": {program: "yes 00", want: Transient},
	} {
		t.Run(name, func(t *testing.T) {
			set := &Set{
				Executors:   map[job.Kind]Executor{job.HTTP: says("blue")},
				Environment: &Environment{Command: []string{"/bin/sh", "-c", c.program}, Runner: who},
			}
			out, err := set.Do(t.Context(), &job.Spec{ID: id, Kind: job.HTTP, Verification: job.Verification{TEERequired: true, TEEType: c.kind}})
			if !c.ok {
				wantKind(t, err, c.want)
				return
			}
			if err != nil || string(out.TEE) != string(e.Encode()) {
				t.Fatalf("%x %v", out.TEE, err)
			}
			got, err := os.ReadFile(asked)
			want := fmt.Sprintf(`{"job":"%s","result_hash":"%s","runner":"%s"}`+"\n", id, e.Data, who)
			if err != nil || string(got) != want {
				t.Errorf("asked %s, want %s", got, want)
			}
		})
	}
	t.Run("a binding", func(t *testing.T) {
		environment := &Environment{Command: []string{"/bin/sh", "-c", prints(e)}, Runner: who}
		if raw, err := environment.Bound(t.Context(), digest.Hash{7}, e.Data); err != nil || string(raw) != string(e.Encode()) {
			t.Errorf("%x %v", raw, err)
		}
		got, err := os.ReadFile(asked)
		if want := fmt.Sprintf(`{"binding_hash":"%s","nonce":"%s","runner":"%s"}`+"\n", e.Data, digest.Hash{7}, who); err != nil || string(got) != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		if _, err := environment.Bound(t.Context(), digest.Hash{7}, digest.Hash{8}); err == nil {
			t.Error("evidence of another binding is taken")
		}
	})
	t.Run("a job that requires none", func(t *testing.T) {
		set := &Set{Executors: map[job.Kind]Executor{job.HTTP: says("blue")}, Environment: &Environment{Command: []string{"/bin/false"}}}
		if out, err := set.Do(t.Context(), &job.Spec{Kind: job.HTTP}); err != nil || out.TEE != nil {
			t.Errorf("%x %v", out.TEE, err)
		}
	})
}
