package operate

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
)

// Names in a data directory.
const (
	configFile  = "config.toml"
	keyFile     = "runner.pem"
	seedFile    = "dispatcher.nk"
	workerFile  = "worker.nk"
	journalDir  = "journal"
	queueDir    = "queue"
	containers  = "containers"
	socketFile  = "control.sock"
	maxPlaces   = 1024
	defaultPoll = 5 * time.Second // Spec: runner-marketplace §9 (polling)
)

// config is everything a file can say.
type config struct {
	Runner struct {
		RPC     string `toml:"rpc"`
		ChainID uint64 `toml:"chain_id"`
		Poll    string `toml:"poll"`
		MaxOpen int    `toml:"max_open"`
		Metrics string `toml:"metrics"` // host:port; "" for none
		// PollOnly: no connections to validators, which bring jobs at once.
		PollOnly bool `toml:"poll_only"`
	} `toml:"runner"`
	Queue struct {
		URL      string `toml:"url"`      // of a server or a cluster of the operator's, separated by commas; "" for the one inside
		Replicas int    `toml:"replicas"` // servers of a cluster that keep each job
		Silence  string `toml:"silence"`  // after which a worker's job goes to another; "" for less than a second
		CA       string `toml:"ca"`       // PEM files, from the data directory on: who is trusted, and what this side shows
		Cert     string `toml:"cert"`
		Key      string `toml:"key"`
		Listen   string `toml:"listen"` // host of the one inside; "" for this process only
		Port     int    `toml:"port"`
		Workers  []struct {
			Key          string   `toml:"key"`
			Capabilities []string `toml:"capabilities"`
		} `toml:"worker"`
	} `toml:"queue"`
	Places []struct {
		Capability string `toml:"capability"`
		Count      int    `toml:"count"`
	} `toml:"place"`
	HTTP struct {
		MaxBytes int64          `toml:"max_bytes"`
		Private  []netip.Prefix `toml:"private"`
	} `toml:"http"`
	DNS struct {
		// Resolvers are asked for records of domains, host:port each; "public" stands for the four that everybody may ask.
		Resolvers []string `toml:"resolvers"`
	} `toml:"dns"`
	Models []struct {
		ID     string `toml:"id"` // model_id; "" for jobs that take any
		URL    string `toml:"url"`
		Name   string `toml:"name"`
		KeyEnv string `toml:"key_env"` // the variable that holds the endpoint's key
		// Toolchain is the toolchain_digest of what runs the model, which deterministic jobs pin.
		Toolchain string `toml:"toolchain"`
	} `toml:"model"`
	Embedding struct {
		URL    string `toml:"url"`
		Name   string `toml:"name"`
		Says   string `toml:"says"` // embedding_model, as governance calls it
		KeyEnv string `toml:"key_env"`
	} `toml:"embedding"`
	Servers []struct {
		Name        string   `toml:"name"`
		Command     []string `toml:"command"`
		URL         string   `toml:"url"`
		Environment []string `toml:"environment"`
	} `toml:"mcp"`
	Executors []struct {
		Hash string `toml:"hash"`
		Path string `toml:"path"`
	} `toml:"executor"`
	Container struct {
		Runtime    string         `toml:"runtime"`    // a path or a name; "" for the first of crun and runc that works
		Layouts    []string       `toml:"layouts"`    // directories of OCI layouts
		Registries bool           `toml:"registries"` // images are fetched from the registries that jobs name
		Network    bool           `toml:"network"`    // containers reach the hosts that their jobs name
		Private    []netip.Prefix `toml:"private"`    // of registries and of these hosts, likewise
		MaxImage   int64          `toml:"max_image"`  // bytes, unpacked
		Runner     string         `toml:"runner"`     // its address, for workers on other machines than the runner's
	} `toml:"container"`
	TEE struct {
		Command []string `toml:"command"` // a program of the trusted environment, which signs results; none: jobs that require one are refused
		Runner  string   `toml:"runner"`  // its address, for workers on other machines than the runner's
		// What the runner is bound to on the chain, which the dispatcher sets and renews; no measurements: nothing.
		Type          string   `toml:"type"`
		Measurements  []string `toml:"measurements"`   // the hashes that governance registers keys by
		Accelerators  []string `toml:"accelerators"`   // keccak256 of their measurements
		ServiceKey    string   `toml:"service_key"`    // a file, from the data directory on; "" for the key that each quote binds
		ServiceScheme string   `toml:"service_scheme"` // Ed25519, or EcdsaP256
	} `toml:"tee"`
	Volumes struct {
		Folder string `toml:"folder"` // outside of the data directory, where the volumes of jobs are mounted; "": jobs that have some are refused
	} `toml:"volumes"`
	Sessions   selling    `toml:"sessions"`
	Aggregator collecting `toml:"aggregator"`

	poll    time.Duration
	silence time.Duration
}

// readConfig reads the configuration of a data directory. Unknown names are errors.
func readConfig(dir string) (*config, error) {
	c := &config{poll: defaultPoll}
	if err := operator.ReadConfig(filepath.Join(dir, configFile), c, c.check); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *config) check() (err error) {
	if c.Runner.Poll != "" {
		if c.poll, err = time.ParseDuration(c.Runner.Poll); err != nil || c.poll < 100*time.Millisecond || c.poll > time.Minute {
			return errors.New("runner.poll is from 100ms to 1m")
		}
	}
	total := 0
	for _, p := range c.Places {
		kind, ok := runner.KindOf(p.Capability)
		if !ok || p.Count < 1 || p.Count > maxPlaces {
			return fmt.Errorf("place %q: a capability of http, llm, mcp, custom or container, and a count from 1 to %d", p.Capability, maxPlaces)
		}
		if kind == job.LLM && len(c.Models) == 0 || kind == job.MCP && len(c.Servers) == 0 ||
			kind == job.Custom && len(c.Executors)+len(c.DNS.Resolvers) == 0 ||
			kind == job.Container && len(c.Container.Layouts) == 0 && !c.Container.Registries {
			return fmt.Errorf("place %q: nothing is configured that does such jobs", p.Capability)
		}
		total += p.Count
	}
	if total > maxPlaces {
		return fmt.Errorf("there are %d places, and may be %d", total, maxPlaces)
	}
	if c.Queue.Silence != "" {
		if c.silence, err = time.ParseDuration(c.Queue.Silence); err != nil || c.silence < 300*time.Millisecond || c.silence > 10*time.Minute {
			return errors.New("queue.silence is from 300ms to 10m")
		}
	}
	if c.Queue.Replicas < 0 || c.Queue.Replicas > 5 {
		return errors.New("queue.replicas is from 1 to 5")
	}
	if c.Sessions.Listen != "" && len(c.Models) == 0 {
		return errors.New("sessions: no model is configured")
	}
	if _, _, err := c.Sessions.prices(); err != nil {
		return err
	}
	if err := c.Aggregator.check(); err != nil {
		return err
	}
	_, err = c.set()
	return err
}

// capabilities are those of all workers.
func (c *config) capabilities() (list []string) {
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	for _, p := range c.Places {
		add(p.Capability)
	}
	for _, w := range c.Queue.Workers {
		for _, name := range w.Capabilities {
			add(name)
		}
	}
	return list
}

func (c *config) places() (list []runner.Places) {
	for _, p := range c.Places {
		list = append(list, runner.Places{Capability: p.Capability, Count: p.Count})
	}
	return list
}

func (c *config) credentials() (list []queue.Credential) {
	for _, w := range c.Queue.Workers {
		list = append(list, queue.Credential{Key: w.Key, Capabilities: w.Capabilities})
	}
	return list
}

// set makes the executors.
func (c *config) set() (*work.Set, error) {
	examine := &work.Examine{}
	s := &work.Set{Examine: examine, Executors: map[job.Kind]work.Executor{
		job.HTTP: &work.HTTP{MaxBytes: c.HTTP.MaxBytes, Private: c.HTTP.Private, Examine: examine, Apart: &work.Self{}},
	}}
	models := &work.LLM{Examine: examine}
	for _, m := range c.Models {
		model := work.Model{URL: m.URL, Name: m.Name}
		if m.ID != "" {
			id, err := digest.ParseHash(m.ID)
			if err != nil {
				return nil, fmt.Errorf("model %q: %w", m.ID, err)
			}
			model.ID = id
		}
		if m.Toolchain != "" {
			digest, err := digest.ParseHash(m.Toolchain)
			if err != nil {
				return nil, fmt.Errorf("model %q: toolchain: %w", m.Name, err)
			}
			model.Toolchain = digest
		}
		if m.KeyEnv != "" {
			if model.Key = os.Getenv(m.KeyEnv); model.Key == "" {
				return nil, fmt.Errorf("model %q: the environment has no %s", m.Name, m.KeyEnv)
			}
		}
		models.Models = append(models.Models, model)
	}
	if e := c.Embedding; e.URL != "" {
		s.Embedding = &work.Embedder{URL: e.URL, Name: e.Name, Says: e.Says}
		if e.KeyEnv != "" {
			if s.Embedding.Key = os.Getenv(e.KeyEnv); s.Embedding.Key == "" {
				return nil, fmt.Errorf("embedding: the environment has no %s", e.KeyEnv)
			}
		}
	}
	servers := &work.MCP{Servers: map[string]work.Server{}, Apart: &work.Self{}}
	for _, m := range c.Servers {
		if (len(m.Command) == 0) == (m.URL == "") {
			return nil, fmt.Errorf("mcp %q: a command or a url", m.Name)
		}
		servers.Servers[m.Name] = work.Server{Command: m.Command, Environment: m.Environment, URL: m.URL}
	}
	custom := &work.Custom{Executors: map[digest.Hash]string{}, Environment: []string{"PATH=/usr/bin:/bin"}}
	for _, e := range c.Executors {
		hash, err := digest.ParseHash(e.Hash)
		if err != nil {
			return nil, fmt.Errorf("executor %q: %w", e.Hash, err)
		}
		custom.Executors[hash] = e.Path
	}
	if len(models.Models) > 0 {
		s.Executors[job.LLM] = models
	}
	if len(servers.Servers) > 0 {
		s.Executors[job.MCP] = servers
	}
	looks, err := work.NewDNS(c.DNS.Resolvers)
	if err != nil {
		return nil, err
	}
	custom.DNS = looks
	if len(custom.Executors) > 0 || looks != nil {
		s.Executors[job.Custom] = custom
	}
	return s, nil
}

// ChainOf names a chain in the title of the journal.
func ChainOf(id uint64) digest.Hash { return digest.SHA256(fmt.Appendf(nil, "cowboy-chain-%d", id)) }
