package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/shards"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
)

// volumePack makes shards of a folder.
//
// Spec: storage-cbfs §2.4, §5.
func (a *app) volumePack() *cobra.Command {
	var name, address string
	var k, m uint8
	cmd := &cobra.Command{
		Use: "pack FOLDER OUT", Short: "Make the shards of a public volume from a folder, and print the commit for them", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			owner, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			p, err := shards.Make(args[0], args[1], owner, name, int(k), int(m))
			if err != nil {
				return err
			}
			return a.show(p, "%d bytes in %d objects, %d chunks in each of %d slots.\nWhen the relays have them:\n"+
				"  cowboy volume commit %s --manifest %s --shards %s --bytes %d --objects %d --chunks %d --base ROOT_BEFORE\n",
				p.Raw, p.Objects, p.Chunks, p.K+p.M, name, p.Manifest, p.Shards, p.Raw, p.Objects, p.Chunks)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the volume's name")
	cmd.Flags().StringVarP(&address, "owner", "a", "", "the volume's owner (default: the wallet)")
	codeFlags(cmd, &k, &m)
	require(cmd, "name")
	return cmd
}

func codeFlags(cmd *cobra.Command, k, m *uint8) {
	cmd.Flags().Uint8Var(k, "data", volume.DefaultData, "shards that are enough to read")
	cmd.Flags().Uint8Var(m, "parity", volume.DefaultParity, "shards beside them")
}

// volumeUnpack makes a folder of shards.
//
// Spec: storage-cbfs §2.4 (read rule), §5.
func (a *app) volumeUnpack() *cobra.Command {
	var root string
	var k, m uint8
	cmd := &cobra.Command{
		Use: "unpack PACKED OUT", Short: "Restore the folder from enough of the slots", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			h, err := parseHash(root)
			if err != nil {
				return err
			}
			if err := shards.Unpack(args[0], args[1], h, int(k), int(m)); err != nil {
				return err
			}
			return a.show(map[string]string{"folder": args[1]}, "%s is what %s says\n", args[1], root)
		},
	}
	cmd.Flags().StringVar(&root, "root", "", "the manifest root on chain, as `cowboy volume show` prints it")
	codeFlags(cmd, &k, &m)
	require(cmd, "root")
	return cmd
}

// relayAnswer proves what is asked of the wallet's relay, out of a packed folder.
//
// Spec: storage-cbfs §6.
func (a *app) relayAnswer() *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "answer PACKED", Short: "Answer the first open challenge about a packed volume", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			own, err := a.addressFlag("")
			if err != nil {
				return err
			}
			p, err := shards.Read(args[0])
			if err != nil {
				return err
			}
			var r wire.Relay
			if err := a.node().Read(cmd.Context(), "/relays/"+own.String(), &r); err != nil {
				return err
			}
			for i := range r.Challenges {
				if c := &r.Challenges[i]; strings.EqualFold(c.VolumeID, p.VolumeID) {
					in, err := answerOf(args[0], c)
					if err != nil {
						return err
					}
					return a.sendAndShow(cmd.Context(), flags, in)
				}
			}
			return fmt.Errorf("nothing is asked of the relay about %s", p.VolumeID)
		},
	}
	flags.register(cmd, volumeCycles, volumeCells)
	return cmd
}

// answerOf is the call that answers a challenge.
func answerOf(packed string, c *wire.PorChallenge) (*tx.Execute, error) {
	root, err := parseHash(c.Root)
	if err != nil {
		return nil, err
	}
	id, err := parseHash(c.ID)
	if err != nil {
		return nil, err
	}
	proof, err := shards.Prove(packed, cbfs.Ask{Root: root, Slot: c.Slot, Ordinal: c.Chunk, Draw: c.Draw})
	if err != nil {
		return nil, err
	}
	payload, err := cbor.Append(nil, cbor.Map{{Key: "challenge_id", Value: id[:]}, {Key: "proof", Value: proof.Append(nil)}})
	return &tx.Execute{To: relay.Home(), Handler: []byte(systemrelay.HandlerProve), Payload: payload}, err
}
