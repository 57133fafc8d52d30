package daemon

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// startCommand runs a configured node.
func startCommand(shared *settings, out io.Writer) *cobra.Command {
	s := &settings{} // registering a flag writes its default, and these are not those of a development network
	var advertise string
	c := &cobra.Command{
		Use: "start", Short: "Run the node that the data directory's config.toml describes", Args: cobra.NoArgs,
		Long: "Run the node that config.toml in the data directory describes. Flags override the file. `cowboyd init` makes one.\n" +
			"The password of the keys comes from --password-file, validator.password_file, COWBOYD_PASSWORD or the terminal.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.hold()
			if s.inherit(shared); !s.hasConfig() {
				return fmt.Errorf("there is no %s\n  make one by `cowboyd init --data-dir %s`, or run a development network by `cowboyd` alone",
					s.configPath(), s.dataDir)
			}
			if err := s.advertise.UnmarshalText([]byte(advertise)); err != nil {
				return usageError{fmt.Errorf("--p2p-advertise: %w", err)}
			}
			if err := s.load(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), s, out)
		},
	}
	nodeFlags(c, s)
	s.pushing.flags(c, "")
	flags := c.Flags()
	flags.StringVar(&s.configFile, "config", "", "configuration; the default is config.toml in the data directory")
	flags.StringVar(&s.passwordFile, "password-file", "", "file whose first line is the password of the keys")
	flags.Uint64Var((*uint64)(&s.last.height), "halt-height", 0, "stop in order after this block and take no part in later ones; 0 never does")
	flags.StringVar(&s.signer, "signer", "", "host:port of the signer that holds the voting key; its certificates are in signer in the data directory")
	flags.StringVar(&s.p2pHost, "p2p-host", "0.0.0.0", "address the peer-to-peer port is bound to")
	flags.IntVar(&s.p2pPort, "p2p-port", 4300, "UDP port other nodes reach this one at; 0 keeps the node to itself")
	flags.StringVar(&advertise, "p2p-advertise", "", "address and port others reach this node at, if not the bound one")
	flags.StringSliceVar(&s.peers, "peers", nil, "nodes to stay connected to, id@host:port")
	flags.StringSliceVar(&s.boot, "boot", nil, "nodes asked for others, id@host:port")
	flags.StringSliceVar(&s.private, "private-peers", nil, "ids of nodes whose addresses are told to nobody")
	return c
}
