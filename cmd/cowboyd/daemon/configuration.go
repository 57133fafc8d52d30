package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// configCommand reads configurations.
func configCommand(s *settings, out io.Writer) *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Check the configuration or show it with its defaults"}
	show := &cobra.Command{
		Use: "show", Short: "Print the configuration with every default filled in", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := s.read()
			if err != nil {
				return err
			}
			_, err = out.Write(c.Write())
			return err
		},
	}
	check := &cobra.Command{
		Use: "check", Short: "Check the configuration, the genesis and the key files; no password is needed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := s.read(); err != nil {
				return err
			}
			if err := s.load(cmd); err != nil {
				return err
			}
			return report(out, s.examine())
		},
	}
	c.PersistentFlags().StringVar(&s.configFile, "config", "", "configuration; the default is config.toml in the data directory")
	c.AddCommand(check, show)
	return c
}

func (s *settings) read() (*config.Config, error) {
	c, err := config.Read(s.configPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s\n  make one by `cowboyd init --data-dir %s`", s.configPath(), s.dataDir)
	}
	return c, err
}

// report prints findings, and gives an error if one failed.
func report(out io.Writer, list []finding) error {
	failed := 0
	for _, f := range list {
		fmt.Fprintf(out, "%-4s  %s\n", f.level, f.what)
		if f.advice != "" {
			fmt.Fprintf(out, "      %s\n", f.advice)
		}
		if f.level == "fail" {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s", plural(failed, "check failed", "checks failed"))
	}
	return nil
}

// examine looks at everything a configuration refers to.
func (s *settings) examine() []finding {
	list := []finding{good("%s can be read", s.configPath())}
	spec, err := s.spec(0)
	if err != nil {
		return append(list, bad("", "%v", err))
	}
	list = append(list, good("genesis of chain %d with %s", spec.ChainID, plural(len(spec.Validators), "validator", "validators")))
	if len(s.peers)+len(s.boot) == 0 && len(spec.Validators) > 1 {
		list = append(list, warn("add the others to p2p.peers, id@host:port", "no peers: the node waits for others to call"))
	}
	list = append(list, s.examineServing()...)
	return append(list, s.examineKeys(spec)...)
}

func (s *settings) examineKeys(spec *genesis.Spec) []finding {
	if s.keys == "" {
		return []finding{good("no validator keys: the node follows")}
	}
	r := s.ring()
	public, list, err := s.examineVote(r)
	if err != nil {
		return append(list, bad("run `cowboyd init` for a new node, or `cowboyd keys restore BACKUP`", "%v", err))
	}
	for rank, v := range spec.Validators {
		if fmt.Sprintf("%x", v.PublicKey) != public {
			continue
		}
		if _, err := r.File(keyring.Share); err != nil {
			return append(list, bad("run `cowboyd genesis accept DEAL`", "%v", err))
		}
		return append(list, good("validator %d of the genesis, key %s…", rank, public[:16]))
	}
	return append(list, warn("it follows until it is registered: `cowboy validator --help`", "key %s… is not in the genesis", public[:min(16, len(public))]))
}

// examineVote finds the public voting key, of the signer where the key is there.
func (s *settings) examineVote(r keyring.Ring) (public string, list []finding, err error) {
	if s.signer == "" {
		f, err := r.File(keyring.Vote)
		if err != nil {
			return "", nil, err
		}
		return f.PublicKey, nil, nil
	}
	if r.Has(keyring.Vote) {
		list = append(list, bad("move it away: one voting key has one place", "the voting key is at the signer, and %s is here", r.Path(keyring.Vote)))
	}
	key, err := s.signedFor()
	if err != nil {
		return "", list, err
	}
	x := nodeSide(s.signerDir())
	if _, err := x.tls(); err != nil {
		return "", list, err
	}
	if text := x.expiring(time.Now()); text != "" {
		list = append(list, warn("`cowboyd signer certificates` makes new ones for both sides", "%s", text))
	}
	return fmt.Sprintf("%x", key), append(list, good("the signer at %s holds the voting key", s.signer)), nil
}
