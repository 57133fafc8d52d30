package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// roundIn reads a round of the beacon, as EPOCH/VIEW.
func roundIn(text string) (r sig.Round, err error) {
	epoch, view, ok := strings.Cut(text, "/")
	if r.Epoch, err = strconv.ParseUint(epoch, 10, 64); err == nil {
		r.View, err = strconv.ParseUint(view, 10, 64)
	}
	if !ok || err != nil {
		return r, usageError{fmt.Errorf("%q is no round: write EPOCH/VIEW, such as 2/1500; a block has its own in `epoch` and `view`", text)}
	}
	return r, nil
}

// secretsLock keeps a value that everybody may read from a round on.
//
// Spec: secrets-cbss §4 (152).
func (a *app) secretsLock() *cobra.Command {
	var file, at, place string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "lock NAME", Short: "Seal a value that your committee opens for everybody at a round of the beacon", Args: cobra.ExactArgs(1),
		Long: "Seal a value that your committee opens for everybody once the beacon has reached a round. The fee of a release goes to each\n" +
			"proxy that it takes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			round, err := roundIn(at)
			if err != nil {
				return err
			}
			value, err := fittingValue(file)
			if err != nil {
				return err
			}
			of, err := a.own(flags, "")
			if err != nil {
				return err
			}
			key, err := nameOf(of, args[0])
			if err != nil {
				return err
			}
			s := &sealing{of: of, key: key, to: cbss.Identity{Secret: cbss.SecretID{Account: of, KeyHash: secret.LockID(of, key, round)}}}
			if err := a.towards(cmd.Context(), of, &s.to); err != nil {
				return err
			}
			if err := s.encrypt(value); err != nil {
				return err
			}
			pointer, err := a.placed(cmd, s, place)
			if err != nil {
				return err
			}
			with := s.sealed(pointer)
			return a.sendAndShow(cmd.Context(), flags, &tx.RegisterTlock{
				KeyHash: key, RoundEpoch: round.Epoch, RoundView: round.View, WrapEpoch: with.Epoch, Pointer: with.Pointer, Wrapped: with.Wrapped,
			})
		},
	}
	cmd.Flags().StringVar(&file, "value-file", "", "the value (- is standard input)")
	cmd.Flags().StringVar(&at, "round", "", "EPOCH/VIEW from which on it is open")
	registerPlaces(cmd, &place)
	require(cmd, "value-file", "round")
	flags.register(cmd, secretCycles, 2*secret.MaxPayload+secretCells)
	return cmd
}

// secretsUnlock reads a value whose round is reached.
//
// Spec: secrets-cbss §4 (153).
func (a *app) secretsUnlock() *cobra.Command {
	var of, at, payload, out string
	cmd := &cobra.Command{
		Use: "unlock NAME", Short: "Read a value that was locked until a round of the beacon", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			round, err := roundIn(at)
			if err != nil {
				return err
			}
			addr, err := a.own(nil, of)
			if err != nil {
				return err
			}
			key, err := nameOf(addr, args[0])
			if err != nil {
				return err
			}
			id := secret.LockID(addr, key, round)
			var v wire.Tlock
			if err := a.node().Read(cmd.Context(), "/tlock/"+id.Hex(), &v); err != nil {
				return err
			}
			if v.Sigma == "" {
				return fmt.Errorf("Locked until round %d/%d\n  %d of the proxies that it takes have answered", v.RoundEpoch, v.RoundView, v.Partials)
			}
			sealed, err := a.lockPayload(cmd.Context(), &v, payload)
			if err != nil {
				return err
			}
			value, err := unlocked(&v, sealed)
			if err != nil {
				return err
			}
			if out != "" {
				return os.WriteFile(out, value, 0o600)
			}
			_, err = cmd.OutOrStdout().Write(value)
			return err
		},
	}
	cmd.Flags().StringVar(&of, "account", "", "whose lock it is (default: your own)")
	cmd.Flags().StringVar(&at, "round", "", "EPOCH/VIEW of the lock")
	cmd.Flags().StringVar(&payload, "payload", "", "file with the encrypted payload, where it lies elsewhere than in a volume")
	cmd.Flags().StringVar(&out, "out", "", "file for the value (default: standard output)")
	require(cmd, "round")
	return cmd
}

// lockPayload reads the encrypted payload of a lock: from a file, from a volume, or as it is kept inline.
func (a *app) lockPayload(ctx context.Context, v *wire.Tlock, file string) ([]byte, error) {
	if file != "" {
		return os.ReadFile(file)
	}
	if v.Pointer == "" {
		return hex.DecodeString(v.Payload)
	}
	place, err := hex.DecodeString(v.Pointer)
	if err != nil {
		return nil, err
	}
	id, path, ok := secret.ParseStored(place)
	if !ok {
		return nil, errors.New("The payload lies at a place that is no file of a volume\n  say --payload FILE")
	}
	c, err := a.files(ctx, &fileFlags{}, id.Hex())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	at, err := c.Open(ctx, c.id)
	if err != nil {
		return nil, err
	}
	var sealed bytes.Buffer
	err = at.Read(ctx, path, &sealed)
	return sealed.Bytes(), err
}

// unlocked opens a lock with what its committee made public.
func unlocked(v *wire.Tlock, payload []byte) ([]byte, error) {
	raw, bad := hex.DecodeString(v.WrappedDek)
	sigma, worse := hex.DecodeString(v.Sigma)
	if err := errors.Join(bad, worse); err != nil || len(sigma) != cbss.PointSize {
		return nil, errors.New("the node tells of a lock that is none")
	}
	e, err := cbss.ParseEnvelope(raw)
	if err != nil {
		return nil, err
	}
	data, err := e.Open(cbss.Point(sigma))
	if err != nil {
		return nil, err
	}
	return cbss.OpenPayload(data, e.Data[:], payload)
}
