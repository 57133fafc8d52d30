package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Dir is the name of the folder that marks a project.
const Dir = ".cowboy"

// DefaultURL is where a local node listens.
const DefaultURL = "http://localhost:4000"

// ErrNoProject says that no folder above the working directory holds a .cowboy directory.
var ErrNoProject = errors.New("no .cowboy directory here or above")

// Config is .cowboy/config.json. Raw keeps every key, known or not.
type Config struct {
	Path string // of config.json
	raw  map[string]json.RawMessage
	envs map[string]map[string]json.RawMessage
}

// Environment is one network the project can talk to.
type Environment struct {
	Name    string
	RPCURL  string
	KeyFile string // relative to .cowboy
}

// Find opens the configuration of the nearest .cowboy directory at or above dir.
func Find(dir string) (*Config, error) {
	for {
		folder := filepath.Join(dir, Dir)
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return Open(folder)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, ErrNoProject
		}
		dir = parent
	}
}

// Open reads the configuration in the given .cowboy folder; a missing file is an empty configuration.
func Open(folder string) (*Config, error) {
	c := &Config{Path: filepath.Join(folder, "config.json")}
	text, err := os.ReadFile(c.Path)
	if errors.Is(err, os.ErrNotExist) {
		text = []byte("{}")
	} else if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &c.raw); err != nil {
		return nil, broken(c.Path, text, err)
	}
	c.envs = map[string]map[string]json.RawMessage{}
	if list, ok := c.raw["environments"]; ok {
		if err := json.Unmarshal(list, &c.envs); err != nil {
			return nil, &Complaint{c.Path, lineOf(text, `"environments"`), "it is broken: environments: " + err.Error()}
		}
	}
	return c, nil
}

// lineOf is the first line that holds a word, or 0.
func lineOf(text []byte, word string) int {
	before, _, found := bytes.Cut(text, []byte(word))
	if !found {
		return 0
	}
	return bytes.Count(before, []byte("\n")) + 1
}

// Folder is the .cowboy directory.
func (c *Config) Folder() string { return filepath.Dir(c.Path) }

func text(m map[string]json.RawMessage, key string) string {
	var s string
	if raw, ok := m[key]; ok && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return ""
}

// Active gives the environment in use. The older flat form {network, rpc_url} is read as an environment of that name
// whose key is .cowboy/key; `network` also stands for `active` beside environments.
func (c *Config) Active() Environment {
	name := text(c.raw, "active")
	if name == "" {
		name = text(c.raw, "network")
	}
	env := c.envs[name]
	if env == nil {
		return Environment{Name: name, RPCURL: withScheme(text(c.raw, "rpc_url")), KeyFile: "key"}
	}
	return Environment{Name: name, RPCURL: withScheme(text(env, "rpc_url")), KeyFile: text(env, "key_file")}
}

func withScheme(url string) string {
	if url == "" || strings.Contains(url, "://") {
		return url
	}
	return "http://" + url
}

// SetEnvironment adds or changes an environment and makes it active, keeping all it does not name.
func (c *Config) SetEnvironment(env Environment, walletAddress string) {
	if c.raw == nil {
		c.raw = map[string]json.RawMessage{}
	}
	fields := c.envs[env.Name]
	if fields == nil {
		fields = map[string]json.RawMessage{}
		c.envs[env.Name] = fields
	}
	set := func(m map[string]json.RawMessage, key, value string) {
		m[key], _ = json.Marshal(value)
	}
	set(fields, "rpc_url", env.RPCURL)
	set(fields, "key_file", env.KeyFile)
	set(fields, "wallet_address", walletAddress)
	set(c.raw, "active", env.Name)
	if _, flat := c.raw["network"]; flat {
		set(c.raw, "network", env.Name)
	}
	c.raw["environments"], _ = json.Marshal(c.envs)
}

// ActorFiles are the labels of the actors deployed from here by their addresses in lower case: the files of their sources.
func (c *Config) ActorFiles() map[string]string {
	var list []struct {
		Address string `json:"address"`
		Label   string `json:"label"`
	}
	files := map[string]string{}
	if json.Unmarshal(c.envs[c.Active().Name]["actors"], &list) == nil {
		for _, e := range list {
			files[strings.ToLower(e.Address)] = e.Label
		}
	}
	return files
}

// AddActor remembers a deployed actor in the active environment, once per address.
func (c *Config) AddActor(address, label string) {
	fields := c.envs[c.Active().Name]
	if fields == nil {
		return
	}
	type entry struct {
		Address string `json:"address"`
		Label   string `json:"label"`
	}
	var list []json.RawMessage
	_ = json.Unmarshal(fields["actors"], &list)
	for _, raw := range list {
		var e entry
		if json.Unmarshal(raw, &e) == nil && strings.EqualFold(e.Address, address) {
			return
		}
	}
	raw, _ := json.Marshal(entry{address, label})
	fields["actors"], _ = json.Marshal(append(list, raw))
	c.raw["environments"], _ = json.Marshal(c.envs)
}

// Save writes the configuration through a temporary file, so that a crash leaves the old or the new one.
func (c *Config) Save() error {
	if err := os.MkdirAll(c.Folder(), 0o755); err != nil {
		return err
	}
	compact, err := json.Marshal(c.raw)
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, compact, "", "  "); err != nil {
		return err
	}
	pretty.WriteByte('\n')
	tmp := c.Path + ".tmp"
	if err := os.WriteFile(tmp, pretty.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, c.Path)
}
