package operate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// retainedDir is where the blobs of retention contracts lie, in the data directory.
const retainedDir = "retained"

// RetainedIn is where a relay with a data directory keeps the blobs of retention contracts.
func RetainedIn(dir string) *retained.Store {
	return &retained.Store{Dir: filepath.Join(dir, retainedDir)}
}

// Contracts are the retention contracts behind a node, for a relay. It implements relay.Contracts.
type Contracts struct{ *Chain }

// Retention implements relay.Contracts.
func (c Contracts) Retention(ctx context.Context, id digest.Hash) (*relay.Retention, error) {
	v, blobs, err := c.Storage.Retention(ctx, id)
	if err != nil {
		return nil, err
	}
	r := &relay.Retention{Blobs: blobs}
	for i := range v.Providers {
		p := &v.Providers[i]
		who, err := account.ReadAddress(p.Provider)
		if err != nil {
			return nil, err
		}
		if who != c.self || p.AuditID == "" {
			continue
		}
		if r.Audit, err = digest.ParseHash(p.AuditID); err != nil {
			return nil, err
		}
		for _, at := range p.Asked {
			r.Asked = append(r.Asked, retention.Place{Blob: at.Blob, Piece: at.Piece})
		}
	}
	return r, nil
}

// ProveRetention implements relay.Contracts.
func (c Contracts) ProveRetention(ctx context.Context, id digest.Hash, pieces []cbfs.Piece) error {
	return c.call(ctx, retention.Home(), systemvolume.HandlerProvePieces, 0, cbor.Map{
		{Key: "contract_id", Value: id[:]}, {Key: "proof", Value: cbfs.AppendPieces(nil, pieces)},
	})
}

// retainCommand keeps the blobs of a contract, and takes a seat of it.
func retainCommand(dir *string) *cobra.Command {
	var only bool
	cmd := &cobra.Command{
		Use: "retain CONTRACT [FILE...]", Short: "Keep the blobs of a retention contract, and take a seat of it", Args: cobra.MinimumNArgs(1),
		Long: "Keep the blobs of a retention contract, and take a seat of it with the stake it asks for. The files are given in the contract's order;\n" +
			"without any, the other providers are asked. What is not what the contract refers to is refused before anything is sent. The running relay\n" +
			"answers the audits.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return retain(cmd.Context(), cmd.OutOrStdout(), *dir, args[0], args[1:], only)
		},
	}
	cmd.Flags().BoolVar(&only, "only-keep", false, "put the blobs where they were, for a seat there is already")
	return cmd
}

func retain(ctx context.Context, out io.Writer, dir, contract string, files []string, only bool) error {
	id, err := digest.ParseHash(contract)
	if err != nil {
		return err
	}
	c, err := readConfig(dir)
	if err != nil {
		return err
	}
	key, own, err := keys(dir)
	if err != nil {
		return err
	}
	chain := NewChain(api.New(c.Relay.RPC), key)
	v, blobs, err := chain.Storage.Retention(ctx, id)
	if err != nil {
		return err
	}
	if len(files) > 0 && len(files) != len(blobs) {
		return fmt.Errorf("the contract has %d blobs, and %d files are given", len(blobs), len(files))
	}
	pool := &reach.Pool{Key: own, Now: time.Now}
	defer pool.Close()
	others, err := chain.Providers(ctx, pool, v, chain.self)
	if err != nil {
		return err
	}
	kept := RetainedIn(dir)
	for i := range blobs {
		if len(files) > 0 {
			err = keepFile(kept, id, i, &blobs[i], files[i])
		} else {
			err = keepFetched(ctx, kept, id, i, &blobs[i], others)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d blobs are kept\n", len(blobs))
	if only {
		return nil
	}
	err = chain.call(ctx, retention.Home(), systemvolume.HandlerProvide, unit.Amount(v.Stake), cbor.Map{{Key: "contract_id", Value: id[:]}})
	if err == nil {
		fmt.Fprintf(out, "A seat of %s is asked for, with a stake of %s CBY\n", contract, unit.Amount(v.Stake).CBY())
	}
	return err
}

func keepFile(kept *retained.Store, id digest.Hash, number int, b *retention.Blob, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := kept.Keep(id, number, b, f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// keepFetched keeps a blob that others provide.
func keepFetched(ctx context.Context, kept *retained.Store, id digest.Hash, number int, b *retention.Blob, others []retained.Ask) error {
	from, to := io.Pipe()
	go func() { to.CloseWithError(retained.Fetch(ctx, others, id, number, b, to)) }()
	err := kept.Keep(id, number, b, from)
	return errors.Join(err, from.Close()) // which ends the fetching
}

// forgetCommand takes away the blobs of a contract.
func forgetCommand(dir *string) *cobra.Command {
	return &cobra.Command{
		Use: "forget CONTRACT", Short: "Take away the blobs of a retention contract that is over", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			id, err := digest.ParseHash(args[0])
			if err != nil {
				return err
			}
			return RetainedIn(*dir).Drop(id)
		},
	}
}
