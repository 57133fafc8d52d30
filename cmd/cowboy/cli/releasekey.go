package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Of waiting for a release key: the time between two looks, and after how many of them proxies that have not registered are waited for no more, which those of
// a network that has just begun do in its first blocks.
const (
	keyPoll     = 500 * time.Millisecond
	registering = 12
)

// secretsKey asks for the release key of an account.
func (a *app) secretsKey() *cobra.Command {
	var of string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "key", Short: "Ask for a committee that makes your account's release key, for a bond that comes back", Args: cobra.NoArgs,
		Long: fmt.Sprintf("Ask for a committee of %d proxies that makes your account's release key, for a bond that comes back. With --wait the command\n"+
			"ends when the key is there: first it waits until that many proxies serve, where some are too new, then for the committee.", secret.DefaultMembers),
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.own(flags, of)
			if err != nil {
				return err
			}
			return a.askForKey(cmd.Context(), flags, addr)
		},
	}
	cmd.Flags().StringVar(&of, "account", "", "for an actor that you made (default: your own)")
	flags.register(cmd, secretCycles, secretCells)
	return cmd
}

// askForKey asks for an account's release key; with --wait it ends when the key is there. What is being made already is not asked for again then.
func (a *app) askForKey(ctx context.Context, flags *sendFlags, of account.Address) error {
	wait := flags.wait && flags.unsigned == ""
	key, err := a.releaseKey(ctx, of)
	if err != nil {
		return err
	}
	if key.Master == "" && key.Pending == nil && flags.unsigned == "" {
		if err := a.enoughProxies(ctx, wait); err != nil {
			return err
		}
	}
	if key.Pending == nil || key.Master != "" || !wait {
		if err := a.sendAndShow(ctx, flags, &tx.RequestAccountDkg{Account: of}); err != nil || !wait {
			return err
		}
	}
	return a.awaitKey(ctx, of)
}

// releaseKey reads the release key of an account, which has no Master where there is none, and neither that nor Pending where none was asked for.
func (a *app) releaseKey(ctx context.Context, of account.Address) (v wire.ReleaseKey, err error) {
	if err = a.node().Read(ctx, "/release-key/"+of.String(), &v); missing(err) {
		err = nil
	}
	return v, err
}

// enoughProxies finds out whether a committee can be drawn, before a bond is put up, and may wait until one can.
//
// Spec: secrets-cbss §5 (selection of proxies: soak passed, not suspended).
func (a *app) enoughProxies(ctx context.Context, wait bool) error {
	said := false
	for look := 1; ; look++ {
		serving, from := 0, []uint64{}
		err := pages(ctx, a, "/proxies", func(page *wire.Proxies) string {
			for i := range page.Proxies {
				if p := &page.Proxies[i]; p.Serves {
					serving++
				} else if !p.Suspended && p.UnbondAt == 0 {
					from = append(from, p.EligibleAfter)
				}
			}
			return page.NextCursor
		})
		lack := secret.DefaultMembers - serving
		if err != nil || lack <= 0 {
			return err
		}
		few := fmt.Sprintf("SecretCommitteeUnavailable: %d proxies serve, and a committee has %d", serving, secret.DefaultMembers)
		slices.Sort(from)
		switch {
		case len(from) < lack && (!wait || look >= registering):
			return errors.New(few)
		case len(from) < lack:
		case !wait:
			return fmt.Errorf("%s\n  from block %d on as many serve: ask again then, or with --wait", few, from[lack-1])
		case !said:
			said = true
			fmt.Fprintf(a.err, "%d proxies serve, and a committee has %d: waiting for block %d, from which on as many serve\n",
				serving, secret.DefaultMembers, from[lack-1])
		}
		if err := rest(ctx); err != nil {
			return err
		}
	}
}

// awaitKey waits until a release key that was asked for is made, and prints it.
func (a *app) awaitKey(ctx context.Context, of account.Address) error {
	for said := false; ; {
		key, err := a.releaseKey(ctx, of)
		switch p := key.Pending; {
		case err != nil:
			return err
		case key.Master != "":
			if !a.asJSON {
				fmt.Fprint(a.out, releaseKeyText(&key))
			}
			return nil
		case p == nil:
			return errors.New("no committee made the key, and none makes it now: too few proxies served; the bond came back\n" +
				"  `cowboy proxy list` tells who serves")
		case p.Deadline > 0:
			var health wire.Health
			if err := a.node().Read(ctx, "/health/detailed", &health); err != nil {
				return err
			}
			if health.BlockHeight > p.Deadline {
				return fmt.Errorf("the committee made no key by block %d\n  ask for another one after `cowboy tx expire-dkg-pending --scope %s`",
					p.Deadline, key.Scope)
			}
			if !said {
				fmt.Fprintf(a.err, "%d proxies make the key, by block %d at the latest\n", len(p.Committee), p.Deadline)
				said = true
			}
		}
		if err := rest(ctx); err != nil {
			return err
		}
	}
}

// rest waits between two looks at what is awaited.
func rest(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(keyPoll):
		return nil
	}
}

// towards reads the release key of an account into what is sealed to it.
func (a *app) towards(ctx context.Context, of account.Address, to *cbss.Identity) error {
	release, err := a.releaseKey(ctx, of)
	switch {
	case err != nil:
		return err
	case release.Master == "" && release.Pending != nil:
		return errors.New("No release key yet: a committee makes it now\n  `cowboy secrets key --wait` waits for it")
	case release.Master == "":
		return errors.New("No release key yet\n  ask for one with `cowboy secrets key --wait`; a committee makes it")
	}
	var health wire.Health
	if err := a.node().Read(ctx, "/health/detailed", &health); err != nil {
		return err
	}
	master, err := hex.DecodeString(release.Master)
	if err != nil || len(master) != cbss.KeySize {
		return errors.New("the node gave a key that is none")
	}
	to.ChainID, to.Epoch, to.Master = health.ChainID, release.Epoch, cbss.Key(master)
	return nil
}
