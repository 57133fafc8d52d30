package daemon

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/founding"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// keysProof writes what registering the voting key takes, so that the account that owns the stake registers it from elsewhere.
func keysProof(s *settings, out io.Writer) *cobra.Command {
	var to string
	c := &cobra.Command{
		Use: "proof [VOTE-FILE]", Args: cobra.MaximumNArgs(1),
		Short: "Write the public voting key with a proof of possession, to register it from another machine",
		Long: "Write what `cowboy validator register --vote-proof` takes: the public voting key and the proof that its holder has it. No secret is in it.\n" +
			"VOTE-FILE is another file of a voting key, such as a signer's vote.json; its password is that of the keys.",
		RunE: func(_ *cobra.Command, args []string) error {
			key, err := s.provable(args)
			if err != nil {
				return err
			}
			p := founding.NewProof(s.chainID, key)
			if to == "" {
				return writeJSON(out, p)
			}
			if err := save(to, p); err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s: `cowboy validator register --vote-proof %s` registers the key on chain %d\n", to, to, s.chainID)
			return err
		},
	}
	c.Flags().StringVar(&to, "out", "", "file to write; standard output otherwise")
	return c
}

// provable opens the voting key: the one of a file that is named, or the node's.
func (s *settings) provable(args []string) (*bls.PrivateKey, error) {
	r := s.ring()
	if len(args) == 0 {
		password, err := s.password(fmt.Sprintf("Password of the keys in %s: ", r.Dir))
		if err != nil {
			return nil, err
		}
		key, err := r.VoteKey(password)
		if err != nil {
			return nil, s.explainKey(err)
		}
		return key, nil
	}
	f, err := keyring.Read(args[0])
	if err != nil {
		return nil, err
	}
	password, err := s.password("Password of " + args[0] + ": ")
	if err != nil {
		return nil, err
	}
	secret, err := f.Open(password)
	if err != nil {
		return nil, s.explainKey(fmt.Errorf("%s: %w", args[0], err))
	}
	return bls.ParsePrivateKey(secret)
}
