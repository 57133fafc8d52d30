package cli

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// misuse runs a command in the folder of a wallet, with a node that counts what it is asked and knows of nothing.
func misuse(t *testing.T, args ...string) (code int, said string, asked int64) {
	t.Helper()
	var count atomic.Int64
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		count.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer node.Close()
	t.Setenv("COWBOY_PRIVATE_KEY", strings.Repeat("11", 32))
	t.Setenv("COWBOY_RPC_URL", node.URL)
	var out, errOut bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errOut)
	return code, errOut.String(), count.Load()
}

// refused runs a command that is wrong by itself: it exits with 2, names what is wrong, and no node is asked before.
func refused(t *testing.T, names string, args ...string) {
	t.Helper()
	code, said, asked := misuse(t, args...)
	if code != 2 || !strings.Contains(said, names) || asked > 0 {
		t.Errorf("exit %d, %d questions to the node: %s", code, asked, said)
	}
}

// A folder with a link that leads to more than a path is not put: nothing is sent, and the link is named.
//
// Spec: storage-cbfs §2.1 (512 bytes).
func TestPutOfALongLink(t *testing.T) {
	for name, x := range map[string]struct {
		size   int
		passes bool
	}{"too long": {cbfs.MaxPathBytes + 1, false}, "as long as may be": {cbfs.MaxPathBytes, true}} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.MkdirAll(filepath.Join("site", "deep"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(strings.Repeat("t", x.size), filepath.Join("site", "deep", "far")); err != nil {
				t.Fatal(err)
			}
			if !x.passes {
				refused(t, `"www/deep/far"`, "volume", "put", "docs", "site", "www")
				return
			}
			if code, said, asked := misuse(t, "volume", "put", "docs", "site", "www"); code != 1 || asked == 0 {
				t.Errorf("exit %d, %d questions to the node: %s", code, asked, said)
			}
		})
	}
}

// A path that none can have is refused before the key of a private volume is asked for.
//
// Spec: storage-cbfs §2.1.
func TestPathsThatAreNone(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", []byte("bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../x", "/x", "a//b", "a/../../x"} {
		for name, args := range map[string][]string{
			"put": {"volume", "put", "docs", "file", path}, "get": {"volume", "get", "docs", path}, "rm": {"volume", "rm", "docs", path},
			"ls": {"volume", "ls", "docs", path}, "list": {"volume", "list", "docs", path},
		} {
			if name == "put" && path == "a//b" { // it is put to a/b
				continue
			}
			t.Run(name+" "+path, func(t *testing.T) { refused(t, "a path has", args...) })
		}
	}
}

// A key that is here already is not bought a second time.
//
// Spec: secrets-cbss §11.
func TestAKeyThatIsHere(t *testing.T) {
	t.Chdir(t.TempDir())
	id := digest.Hash{7}
	if err := keepVolumeKey(id, &[volume.KeySize]byte{1}); err != nil {
		t.Fatal(err)
	}
	refused(t, keyFileOf(id), "volume", "key", wire.Hash(id))
	if key, err := readVolumeKey("", id); err != nil || key[0] != 1 {
		t.Error(key, err)
	}
}

// What is said wrongly of a secret is refused before anything is read of the chain, sealed or stored.
//
// Spec: secrets-cbss §4.
func TestSecretsThatAreSaidWrongly(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("value", []byte("v"), 0o600), os.WriteFile("long", make([]byte, secret.MaxPayload), 0o600)); err != nil {
		t.Fatal(err)
	}
	actor := account.Address{1}.String()
	for name, c := range map[string]struct {
		names string
		args  []string
	}{
		"set for nobody, into a volume": {"address", []string{"set", "NAME", "--value-file", "value", "--volume", "docs", "--actors", "nonsense"}},
		"set for nobody, with a pointer": {"address", []string{"set", "NAME", "--value-file", "value", "--pointer", "01", "--payload-out", "out", "--actors",
			"nonsense"}},
		"list of nobody":          {"address", []string{"list", "--account", "x"}},
		"list, as ls":             {"address", []string{"ls", "--account", "x"}},
		"versions of nobody":      {"address", []string{"versions", "NAME", "--account", "x"}},
		"key of nobody":           {"address", []string{"key", "--account", "x"}},
		"seal what is too long":   {"a value has at most", []string{"seal", "NAME", "--actor", actor, "--value-file", "long"}},
		"seal what goes on, read": {"a value has at most", []string{"seal", "NAME", "--actor", actor, "--value-file", "-"}},
	} {
		t.Run(name, func(t *testing.T) {
			long, err := os.Open("long")
			if err != nil {
				t.Fatal(err)
			}
			defer long.Close()
			before := os.Stdin
			os.Stdin = long
			defer func() { os.Stdin = before }()
			refused(t, c.names, append([]string{"secrets"}, c.args...)...)
			if _, err := os.Stat("out"); err == nil {
				t.Error("the payload is written")
			}
		})
	}
}
