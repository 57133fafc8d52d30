package cli

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// retentionGet reads a blob from its providers.
//
// Spec: storage-cbfs §7; WP §7.2.
func (a *app) retentionGet() *cobra.Command {
	return &cobra.Command{
		Use: "get CONTRACT BLOB FILE", Short: "Get a blob of a contract, by its number from 0, from its providers", Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := strconv.Atoi(args[1])
			if err != nil {
				return usageError{fmt.Errorf("%q is not the number of a blob", shorten(args[1]))}
			}
			if err := a.getRetained(cmd.Context(), args[0], number, args[2]); err != nil {
				return err
			}
			return a.show(map[string]string{"file": args[2]}, "%s\n", args[2])
		},
	}
}

func (a *app) getRetained(ctx context.Context, contract string, number int, to string) error {
	id, err := parseHash(contract)
	if err != nil {
		return err
	}
	s := api.Storage{Node: a.node()}
	v, blobs, err := s.Retention(ctx, id)
	if err != nil {
		return err
	}
	if number < 0 || number >= len(blobs) {
		return usageError{fmt.Errorf("the contract has %d blobs", len(blobs))}
	}
	_, own, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	pool := &reach.Pool{Key: own, Now: time.Now}
	defer pool.Close()
	providers, err := s.Providers(ctx, pool, v, account.Address{})
	if err != nil {
		return err
	}
	return save(to, func(w *os.File) error { return retained.Fetch(ctx, providers, id, number, &blobs[number], w) })
}
