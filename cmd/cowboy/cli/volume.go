package cli

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// The limits of calls about volumes and relays.
const (
	volumeCycles = 300_000
	volumeCells  = 20_000
)

// argument is an argument of a handler, read from a flag.
type argument struct {
	flag, name string
	help       string
	read       func(text string) (any, error)
	needed     bool
}

// call is a command that calls a handler of a system actor with arguments by name.
type call struct {
	use, short string
	to         account.Address
	handler    string
	coins      string // the flag of the coins; "" takes none
	help       string // of the coins
	volume     bool   // it is about a volume: its name is the argument, or its identity
	arguments  []argument
	cycles     uint64                                                       // its limit; 0 for volumeCycles
	more       func(cmd *cobra.Command, flags *sendFlags) (cbor.Map, error) // further arguments; may be nil
}

func asText(text string) (any, error) { return text, nil }

func asHash(text string) (any, error) {
	h, err := parseHash(text)
	return h[:], err
}

func asBytes(text string) (any, error) {
	raw, err := parseHex("value", text)
	return raw, err
}

func asAddress(text string) (any, error) {
	a, err := parseAddress(text)
	return a[:], err
}

func asNumber(text string) (any, error) {
	var n int64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || n < 0 || fmt.Sprint(n) != text {
		return nil, usageError{fmt.Errorf("%q is not a number", shorten(text))}
	}
	return n, nil
}

// callCommand makes the command of a call.
func (a *app) callCommand(c call) *cobra.Command {
	values := make([]string, len(c.arguments))
	coins, flags := "0", &sendFlags{}
	cmd := &cobra.Command{Use: c.use, Short: c.short, Args: cobra.NoArgs}
	if c.volume {
		cmd.Args = cobra.ExactArgs(1)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := &tx.Execute{To: c.to, Handler: []byte(c.handler)}
		var given cbor.Map
		if c.volume {
			given = append(given, volumeName(args[0]))
		}
		for i, one := range c.arguments {
			if !cmd.Flags().Changed(one.flag) {
				continue
			}
			v, err := one.read(values[i])
			if err != nil {
				return err
			}
			given = append(given, cbor.Pair{Key: one.name, Value: v})
		}
		if c.more != nil {
			further, err := c.more(cmd, flags)
			if err != nil {
				return err
			}
			given = append(given, further...)
		}
		var err error
		if given != nil {
			if in.Payload, err = cbor.Append(nil, given); err != nil {
				return err
			}
		}
		if in.Amount, err = parseCBY(coins); err != nil {
			return err
		}
		return a.sendAndShow(cmd.Context(), flags, in)
	}
	for i, one := range c.arguments {
		cmd.Flags().StringVar(&values[i], one.flag, "", one.help)
		if one.needed {
			require(cmd, one.flag)
		}
	}
	if c.coins != "" {
		cmd.Flags().StringVar(&coins, c.coins, "0", c.help)
		require(cmd, c.coins)
	}
	flags.register(cmd, max(c.cycles, volumeCycles), volumeCells)
	return cmd
}

// volumeName is how a call names a volume: by its identity, or by the name it has among the sender's.
func volumeName(text string) cbor.Pair {
	if h, err := parseHash(text); err == nil {
		return cbor.Pair{Key: "volume_id", Value: h[:]}
	}
	return cbor.Pair{Key: "name", Value: text}
}

// volumeCommand is about volumes.
//
// Spec: storage-cbfs §3.1.
func (a *app) volumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "volume", Short: "Create, fund, share, transfer and delete volumes of storage",
		Long: "A volume is a place for files whose shards lie on relays; the chain keeps who owns it, the root of what is in it, who may write and\n" +
			"what it pays. VOLUME is the name of one of yours, or the identity of any; commands that read files take its address too, /OWNER/NAME.",
	}
	until := argument{"until", "valid_until", "the first block the token does not hold in", asNumber, true}
	mode := argument{"mode", "access_mode", "RO, WO or RW", asText, true}
	prefix := argument{"prefix", "path_prefix", "the paths it is for (all)", asText, false}
	most := argument{"max-bytes", "max_bytes", "how many bytes the volume may grow by", asNumber, false}
	token := argument{"token", "token_id", "the token's identity", asBytes, true}
	home := volume.Home()
	for _, c := range []call{
		{use: "fund VOLUME", short: "Add coins to a volume's reserve", to: home, handler: systemvolume.HandlerTopUp, coins: "coins", help: "CBY", volume: true},
		{use: "undelete VOLUME", short: "Take a deletion back", to: home, handler: systemvolume.HandlerUndelete, volume: true},
		{use: "expire VOLUME", short: "Set the block a volume is deleted in by itself, 0 for none", to: home, handler: systemvolume.HandlerExpiry, volume: true,
			arguments: []argument{{"at", "expires_at", "the block", asNumber, true}}},
		{use: "transfer VOLUME", short: "Offer a volume to another account", to: home, handler: systemvolume.HandlerTransfer, volume: true,
			arguments: []argument{{"to", "to", "the account", asAddress, true}}},
		{use: "accept VOLUME_ID", short: "Take over a volume that was offered", to: home, handler: systemvolume.HandlerAccept, volume: true},
		{use: "grant VOLUME", short: "Let somebody read or write a volume", to: home, handler: systemvolume.HandlerGrant, volume: true,
			arguments: []argument{{"to", "grantee", "who may", asAddress, true}, mode, until, prefix, most}},
		{use: "narrow", short: "Leave a token less than it allows", to: home, handler: systemvolume.HandlerNarrow,
			arguments: []argument{token, mode, until, prefix, most}},
		{use: "revoke", short: "End a token", to: home, handler: systemvolume.HandlerRevoke, arguments: []argument{token}},
		{use: "revoke-key", short: "End what a key of CBFS may do for your account, whatever certificates it has", to: home,
			handler: systemvolume.HandlerRevokeKey, arguments: []argument{{"key", "cbfs_public_key", "the key, 32 bytes in hex", asHash, true}}},
		{use: "commit VOLUME", short: "Make a manifest that relays have already the volume's", to: home, handler: systemvolume.HandlerCommit, volume: true,
			arguments: []argument{
				{"base", "base_root", "the manifest root it was made from", asHash, false},
				{"manifest", "manifest_root", "the new one", asHash, true}, {"shards", "shard_root", "the root of the shards", asHash, false},
				{"bytes", "raw_size", "of all objects", asNumber, false}, {"objects", "objects", "how many", asNumber, false},
				{"chunks", "chunks", "of each slot", asNumber, false}, {"token", "token_id", "that lets you, where the volume is not yours", asBytes, false},
			}},
		{use: "repair VOLUME_ID", short: "Give a degraded slot to another relay", to: home, handler: systemvolume.HandlerRepair, volume: true,
			arguments: []argument{
				{"slot", "slot", "the slot", asNumber, true}, {"version", "version", "of the placement you have seen", asNumber, true},
			}},
	} {
		cmd.AddCommand(a.callCommand(c))
	}
	create := a.callCommand(call{use: "create", short: "Create a volume; the chain draws its relays", to: home, handler: systemvolume.HandlerCreate,
		coins: "coins", help: "CBY: the fee, and what is over is the reserve that rent is paid from", cycles: 2 * volumeCycles, more: a.drawnKey,
		arguments: []argument{
			{"name", "name", "its name: 1 to 64 of A-Z a-z 0-9 _ - .", asText, true},
			{"data", "erasure_k", "shards that are enough to read (4)", asNumber, false},
			{"parity", "erasure_m", "shards beside them (2)", asNumber, false},
			{"expires", "expires_at", "the block it is deleted in by itself", asNumber, false},
		}})
	create.Flags().Bool("private", false, "draw a key for it, which your account's committee releases to whom you grant (see `cowboy secrets key`)")
	rewrap := a.callCommand(call{use: "rewrap VOLUME",
		short: "Wrap the key of a private volume for your own account's committee, after you took the volume over", to: home,
		handler: systemvolume.HandlerWrap, volume: true, cycles: 2 * volumeCycles, more: a.rewrappedKey})
	remove := a.callCommand(call{use: "rm VOLUME [PATH]", short: "Delete a volume, which can be taken back for a day; or a file or folder of it", to: home,
		handler: systemvolume.HandlerDelete, volume: true})
	cmd.AddCommand(a.volumeList(), a.volumeShow(), a.volumePack(), a.volumeUnpack(), a.volumePut(), a.volumeGet(), a.volumeRemove(remove), a.volumeShare(),
		a.volumeMount(), a.volumeKey(), a.volumeVerify(), a.volumeDelegate(), a.volumeAccount(), create, rewrap)
	return cmd
}

func (a *app) volumeList() *cobra.Command {
	var address string
	var files fileFlags
	cmd := &cobra.Command{
		Use: "ls [VOLUME [PATH]]", Short: "Print the volumes of an account, or the files of one", Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.listFiles(cmd.Context(), &files, args)
			}
			owner, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			var list wire.Volumes
			if err := a.node().Read(cmd.Context(), "/volumes/"+owner.String(), &list); err != nil {
				return err
			}
			var text strings.Builder
			for _, v := range list.Volumes {
				fmt.Fprintf(&text, "%s  %s  %d bytes in %d objects  reserve %s CBY  %s\n", v.Name, v.Status, v.RawSize, v.Objects,
					unit.Amount(v.Reserve).CBY(), v.VolumeID)
			}
			if len(list.Volumes) == 0 {
				text.WriteString("No volumes. `cowboy volume create` makes one.\n")
			}
			return a.show(list, "%s", text.String())
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "account (default: the wallet)")
	files.register(cmd)
	return cmd
}

func (a *app) volumeShow() *cobra.Command {
	return &cobra.Command{
		Use: "show VOLUME", Short: "Print a volume, its slots and its tokens", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := a.volumeOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			var v wire.Volume
			if err := a.node().Read(cmd.Context(), "/volume/"+url.PathEscape(wire.Hash(id)), &v); err != nil {
				return err
			}
			return a.show(v, "%s", volumeText(&v))
		},
	}
}

// volumeOf finds a volume: by its identity, by its name among the wallet's, or by its public address, /OWNER/NAME. The name asks the chain, since a volume that
// an account took over keeps the identity that the first owner's address made.
//
// Spec: storage-cbfs §2.1 (public address), §3.1 (transfer).
func (a *app) volumeOf(ctx context.Context, text string) (digest.Hash, error) {
	if h, err := parseHash(text); err == nil {
		return h, nil
	}
	owner, name, err := cbfs.ParsePublicAddress(text)
	if !strings.HasPrefix(text, "/") {
		if name, err = text, cbfs.CheckName(text); err == nil {
			if owner, err = a.addressFlag(""); err != nil {
				return digest.Hash{}, err
			}
		}
	}
	if err != nil {
		return digest.Hash{}, usageError{fmt.Errorf("%q is no volume: it has an identity, a name, or an address /OWNER/NAME", text)}
	}
	var list wire.Volumes
	if err := a.node().Read(ctx, "/volumes/"+owner.String(), &list); err != nil {
		return digest.Hash{}, err
	}
	for _, v := range list.Volumes {
		if v.Name == name {
			return digest.ParseHash(v.VolumeID)
		}
	}
	return digest.Hash{}, fmt.Errorf("%s has no volume %q\n  `cowboy volume ls` prints the wallet's volumes, and `-a ADDRESS` those of others", owner, name)
}

func volumeText(v *wire.Volume) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Volume %s (%s) of %s\nAddress: %s\nStatus: %s, %s\nManifest root: %s\n%d bytes in %d objects, %d on relays, %d + %d shards\n", v.Name,
		v.VolumeID, v.Owner, v.Address, v.Status, v.Visibility, v.ManifestRoot, v.RawSize, v.Objects, v.EffectiveSize, v.K, v.M)
	if v.ReleaseHash != "" {
		fmt.Fprintf(&text, "Key wrapped for committee %d, of key material %s, of the release key %s\n", v.CommitteeEpoch, v.ReleaseHash, v.KeyHash)
	}
	fmt.Fprintf(&text, "Reserve: %s CBY, owed: %s CBY\n", unit.Amount(v.Reserve).CBY(), unit.Amount(v.Accrued).CBY())
	if v.Expires > 0 {
		fmt.Fprintf(&text, "Expires in block %d\n", v.Expires)
	}
	if v.Offered != "" {
		fmt.Fprintf(&text, "Offered to %s\n", v.Offered)
	}
	fmt.Fprintf(&text, "Placement %d:\n", v.Version)
	for i, s := range v.Slots {
		state := "holds " + s.Root
		if s.Root == "" {
			state = "has confirmed nothing"
		}
		if s.Degraded {
			state += " (degraded)"
		}
		if s.Challenged {
			state += " (challenged)"
		}
		fmt.Fprintf(&text, "  %d: %s %s\n", i, s.Relay, state)
	}
	for _, t := range v.Tokens {
		fmt.Fprintf(&text, "Token %s: %s may %s %q until block %d, %d of %d bytes", t.TokenID, t.Runner, t.Mode, t.Prefix, t.Until, t.Used, t.MaxBytes)
		if t.Job != "" {
			fmt.Fprintf(&text, ", for job %s", t.Job)
		}
		if t.Grant != "" {
			fmt.Fprintf(&text, ", from token %s", t.Grant)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// relayCommand is about relays.
//
// Spec: storage-cbfs §2.6, §4, §6.
func (a *app) relayCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "relay", Short: "Register a relay of storage, and look at its shards and challenges"}
	slot := argument{"slot", "slot", "the slot", asNumber, true}
	home := relay.Home()
	for _, c := range []call{
		{use: "register", short: "Register a relay, or change its profile and add to its stake", to: home, handler: systemrelay.HandlerRegister, coins: "stake",
			help: "CBY, 5,000 at least in all", arguments: []argument{
				{"node", "node_id", "identity of the node, 32 bytes in hex", asHash, true}, {"public-key", "public_key", "its Ed25519 key", asHash, true},
				{"endpoint", "endpoint", "host and port", asText, true}, {"region", "region", "where it is", asText, false},
				{"capacity", "capacity", "bytes it can hold", asNumber, true},
			}},
		{use: "heartbeat", short: "Send a heartbeat for the relay", to: home, handler: systemrelay.HandlerHeartbeat},
		{use: "drain", short: "Take no more shards, and hand over those the relay holds", to: home, handler: systemrelay.HandlerDrain},
		{use: "unstake", short: "Leave; the relay may hold no shards any more", to: home, handler: systemrelay.HandlerUnstake},
		{use: "withdraw", short: "Take the stake back after the delay", to: home, handler: systemrelay.HandlerWithdraw},
		{use: "confirm VOLUME_ID", short: "Confirm that the relay holds a slot's shards", to: volume.Home(), handler: systemvolume.HandlerConfirm, volume: true,
			arguments: []argument{slot, {"shards", "shard_root", "the root of the newest commit", asHash, true}}},
		{use: "challenge VOLUME_ID", short: "Challenge a relay to prove that it holds a block of a slot", to: home,
			handler: systemrelay.HandlerChallenge, coins: "coins",
			help: "CBY: bond and fee", volume: true, arguments: []argument{slot}},
		{use: "prove", short: "Answer a challenge", to: home, handler: systemrelay.HandlerProve, arguments: []argument{
			{"challenge", "challenge_id", "the challenge", asHash, true}, {"proof", "proof", "in hex", asBytes, true},
		}},
	} {
		cmd.AddCommand(a.callCommand(c))
	}
	cmd.AddCommand(a.relayList(), a.relayStatus(), a.relayPeers(), a.relayAnswer())
	return cmd
}

func (a *app) relayList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the relays", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Relays{Relays: []wire.Relay{}}
			err := pages(cmd.Context(), a, "/relays", func(page *wire.Relays) string {
				page.Relays = append(all.Relays, page.Relays...)
				all = *page
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for i := range all.Relays {
				r := &all.Relays[i]
				fmt.Fprintf(&text, "%s  %s  %d of %d bytes in %d slots  stake %s CBY  %s\n", r.Owner, r.Status, r.Used, r.Capacity, r.Slots,
					unit.Amount(r.Stake).CBY(), r.Endpoint)
			}
			fmt.Fprintf(&text, "%d active. Epoch %d ends in block %d; its pot is %s CBY.\n", all.Active, all.Epoch, all.Ends, unit.Amount(all.Pot).CBY())
			return a.show(all, "%s", text.String())
		},
	}
}

func (a *app) relayStatus() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "status", Short: "Print a relay and the challenges it has to answer", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			owner, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			var r wire.Relay
			if err := a.node().Read(cmd.Context(), "/relays/"+owner.String(), &r); err != nil {
				return err
			}
			var text strings.Builder
			fmt.Fprintf(&text, "Relay %s at %s\nStatus: %s %s\nStake: %s CBY\nHolds %d shards in %d slots, %d of %d bytes; missed %d challenges\n", r.NodeID,
				r.Endpoint, r.Status, r.Cause, unit.Amount(r.Stake).CBY(), r.Shards, r.Slots, r.Used, r.Capacity, r.Lost)
			for _, c := range r.Challenges {
				fmt.Fprintf(&text, "Challenge %s: slot %d of %s, chunk %d, until block %d\n", c.ID, c.Slot, c.VolumeID, c.Chunk, c.Deadline)
			}
			return a.show(r, "%s", text.String())
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "the relay's owner (default: the wallet)")
	return cmd
}
