package project

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestUnknownKeysSurvive rewrites a configuration that holds another client's settings. Spec: node-rpc-cli §5.
func TestUnknownKeysSurvive(t *testing.T) {
	folder := filepath.Join(t.TempDir(), Dir)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	before := `{"active":"dev","lasso":{"primaryRunner":"x"},"environments":{"dev":{"rpc_url":"host:9","key_file":"keys/dev","dashboard_url":""}}}`
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Active(); got.RPCURL != "http://host:9" || got.KeyFile != "keys/dev" {
		t.Errorf("active = %+v", got)
	}
	c.SetEnvironment(Environment{"local", DefaultURL, "keys/local"}, "0xabc")
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(c.Path)
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	envs := got["environments"].(map[string]any)
	if got["lasso"].(map[string]any)["primaryRunner"] != "x" || got["active"] != "local" {
		t.Errorf("after rewrite: %s", text)
	}
	if _, kept := envs["dev"].(map[string]any)["dashboard_url"]; !kept {
		t.Errorf("dashboard_url was lost: %s", text)
	}
}

// TestFlatForm reads the older form, whose key is .cowboy/key. Spec: node-rpc-cli §5.
func TestFlatForm(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, Dir)
	sub := filepath.Join(dir, "a", "b")
	for _, d := range []string{folder, sub} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte(`{"network":"local","rpc_url":"localhost:4000"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Find(sub)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Active(); got != (Environment{"local", "http://localhost:4000", "key"}) {
		t.Errorf("active = %+v", got)
	}
	if _, err := Find(string(filepath.Separator)); err == nil {
		t.Log("a .cowboy directory exists at the root of this machine")
	}
}
