package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// pieceBytes bounds the entries of one transaction of a restoration; the proof and the signature fit into the rest of 128 KiB.
const pieceBytes = 96 << 10

// entryCycles is what a transaction may use for each entry it restores, beside its base.
const entryCycles = 1_000

// actorRestore brings a dormant actor's storage back.
//
// Spec: rent §9.
func (a *app) actorRestore() *cobra.Command {
	var actor, from, save string
	var quota uint64
	var byActor bool
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "restore", Short: "Bring a dormant actor back: fetch its storage, prove it, pay and send it", Args: cobra.NoArgs,
		Long: "An actor that was evicted for unpaid rent comes back with the storage it had. --from is a node that keeps old states, or a file that --save\n" +
			"wrote; what it gives is held against the commitment on the chain before anything is sent. A restoration that was interrupted goes on where it is.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			return a.restore(cmd.Context(), flags, restoration{addr, from, save, quota, byActor})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor's address")
	cmd.Flags().StringVar(&from, "from", "", "address of an archive's RPC or a file (default: the node)")
	cmd.Flags().StringVar(&save, "save", "", "write what was fetched to a file")
	cmd.Flags().Uint64Var(&quota, "quota", 0, "bytes it may store afterwards, where it stored more than 1 MiB")
	cmd.Flags().BoolVar(&byActor, "pay-from-actor", false, "have the actor pay from the balance it kept")
	require(cmd, "actor")
	flags.register(cmd, 0, 0)
	return cmd
}

// restoration is what is asked for.
type restoration struct {
	actor      account.Address
	from, save string
	quota      uint64
	byActor    bool
}

// restore fetches, checks and sends a storage.
func (a *app) restore(ctx context.Context, flags *sendFlags, r restoration) error {
	var status wire.Rent
	if err := a.node().Read(ctx, "/actor/"+r.actor.String()+"/rent", &status); err != nil {
		return err
	}
	d := status.Dormant
	switch {
	case d == nil:
		return fmt.Errorf("%s is not dormant: its rent is %s", r.actor, status.State)
	case !d.Pruned:
		return fmt.Errorf("the storage of %s is still being removed; ask again in some blocks", r.actor)
	}
	list, err := a.gather(ctx, r, d)
	if err != nil {
		return err
	}
	if root := rent.Root(list); uint64(len(list)) != d.Entries || wire.Hex(root[:]) != d.Root {
		return fmt.Errorf("what %s gave is not the storage of %s: %d entries with the commitment %s, and the chain has %d with %s",
			r.source(), r.actor, len(list), wire.Hex(root[:]), d.Entries, d.Root)
	}
	if r.save != "" {
		if err := saveEntries(r.save, d.Height-1, list); err != nil {
			return err
		}
	}
	return a.bring(ctx, flags, r, list, int(d.Restored))
}

func (r *restoration) source() string {
	if r.from == "" {
		return "the node"
	}
	return r.from
}

// gather reads the entries from a file or page by page from a node.
func (a *app) gather(ctx context.Context, r restoration, d *wire.Dormant) (list []rent.Entry, err error) {
	if r.from != "" && !strings.Contains(r.from, "://") {
		data, err := os.ReadFile(r.from)
		if err != nil {
			return nil, err
		}
		var page wire.StoredEntries
		if err := json.Unmarshal(data, &page); err != nil {
			return nil, fmt.Errorf("%s: %w", r.from, err)
		}
		return decodeEntries(page.Entries)
	}
	node := a.node()
	if r.from != "" {
		node = a.at(r.from)
	}
	cursor := ""
	for uint64(len(list)) < d.Entries || cursor != "" {
		var page wire.StoredEntries
		path := fmt.Sprintf("/actor/%s/entries?height=%d&cursor=%s", r.actor, d.Height-1, url.QueryEscape(cursor))
		if err := node.Read(ctx, path, &page); err != nil {
			return nil, err
		}
		more, err := decodeEntries(page.Entries)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
		if cursor = page.Cursor; cursor == "" || uint64(len(list)) > d.Entries {
			break
		}
	}
	return list, nil
}

func decodeEntries(page []wire.StoredEntry) (list []rent.Entry, err error) {
	for _, e := range page {
		key, err := hex.DecodeString(e.Key)
		if err != nil {
			return nil, err
		}
		value, err := hex.DecodeString(e.Value)
		if err != nil {
			return nil, err
		}
		list = append(list, rent.Entry{Key: key, Value: value})
	}
	return list, nil
}

func saveEntries(path string, height uint64, list []rent.Entry) error {
	page := wire.StoredEntries{Height: height, Entries: []wire.StoredEntry{}}
	for _, e := range list {
		page.Entries = append(page.Entries, wire.StoredEntry{Key: hex.EncodeToString(e.Key), Value: hex.EncodeToString(e.Value)})
	}
	data, err := json.MarshalIndent(page, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// bring sends the entries from a number on, piece by piece, each after the one before is in a block.
func (a *app) bring(ctx context.Context, flags *sendFlags, r restoration, list []rent.Entry, from int) error {
	flags.wait = true
	for first := true; first || from < len(list); first = false {
		to, size := from, 0
		for to < len(list) && (to == from || size+len(list[to].Key)+len(list[to].Value) <= pieceBytes) {
			size += len(list[to].Key) + len(list[to].Value) + 8
			to++
		}
		in := &tx.RestoreActor{Actor: r.actor, From: uint64(from), Entries: rent.AppendEntries(nil, list[from:to])}
		if r.byActor {
			in.PayFrom = 1
		}
		if r.quota > 0 {
			in.QuotaBytes = &r.quota
		}
		if to > from {
			proof, err := rent.Prove(list, from, to)
			if err != nil {
				return err
			}
			in.Proof = proof.Append(nil)
		}
		if !flags.given("cycles-limit") {
			flags.cycles = rentCycles + uint64(to-from)*entryCycles
		}
		if !flags.given("cells-limit") {
			flags.cells = rentCells + 2*uint64(len(in.Entries)) + uint64(len(in.Proof))
		}
		s, err := a.send(ctx, flags, in)
		if err != nil {
			return err
		}
		if err := a.showSent(s, fmt.Sprintf("Entries %d to %d of %d\n", from, to, len(list)), ""); err != nil {
			return err
		}
		from = to
	}
	return nil
}
