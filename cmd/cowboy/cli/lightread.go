package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// finalView is what is known of a final block.
type finalView struct {
	Height    uint64 `json:"height"`
	Hash      string `json:"hash"`
	StateRoot string `json:"state_root"`
	Epoch     uint64 `json:"epoch"`
}

func viewFinal(f light.Final) finalView {
	h := f.Header()
	return finalView{uint64(h.Height), wire.Hash(f.Hash()), wire.Hash(h.StateRoot), h.Epoch}
}

func (v finalView) text() string {
	return fmt.Sprintf("Block %d is final (epoch %d)\nHash: %s\nState root: %s\n", v.Height, v.Epoch, v.Hash, v.StateRoot)
}

func (a *app) lightFollow(from *lightStart) *cobra.Command {
	var once bool
	cmd := &cobra.Command{
		Use: "follow", Short: "Follow the chain's final headers and the changes of its validators", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := a.start(cmd.Context(), from)
			if err != nil {
				return err
			}
			if once && a.asJSON {
				at, _, err := f.final(cmd.Context(), 0, true)
				if err != nil {
					return err
				}
				return a.showJSON(viewFinal(at))
			}
			return a.headers(cmd.Context(), f, once)
		},
	}
	cmd.Flags().BoolVar(&once, "once", false, "stop at the newest final header")
	return cmd
}

// headers prints every epoch's end and every newest header.
func (a *app) headers(ctx context.Context, f *follower, once bool) error {
	before := f.client.Set()
	fmt.Fprintf(a.out, "epoch %d: %d validators are trusted\n", before.Epoch, len(before.Members))
	known := *before
	f.crossed = func(x *light.EpochProof) {
		set := f.client.Set()
		joined, left := difference(known.Members, set.Members), difference(set.Members, known.Members)
		known = *set
		fmt.Fprintf(a.out, "epoch %d: from block %d on %d validators, %d joined and %d left; block %d, %d of %d signed\n", set.Epoch,
			x.Header.Height+1, len(set.Members), joined, left, x.Header.Height, len(x.Certificate.Signers.Members()), x.Certificate.Signers.Len())
	}
	var shown uint64
	for {
		at, c, err := f.final(ctx, 0, true)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if h := at.Header(); uint64(h.Height) > shown {
			shown = uint64(h.Height)
			fmt.Fprintf(a.out, "block %d %s is final: %d of %d signed, %s\n", h.Height, wire.Hash(at.Hash()), len(c.Signers.Members()),
				c.Signers.Len(), time.UnixMilli(int64(h.TimestampMs)).UTC().Format(time.RFC3339))
		}
		if once {
			return nil
		}
		select {
		case <-time.After(lightPoll):
		case <-ctx.Done():
			return nil
		}
	}
}

// difference counts the members of b that are not in a.
func difference(a, b []stake.Member) (n int) {
	have := map[sig.BLSPublicKey]bool{}
	for _, m := range a {
		have[m.Key] = true
	}
	for _, m := range b {
		if !have[m.Key] {
			n++
		}
	}
	return n
}

func (a *app) lightAccount(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "account ADDRESS", Short: "Prove an account's balance and nonce, or that there is none", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			address, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			f, err := a.start(cmd.Context(), from)
			if err != nil {
				return err
			}
			p, encoded, at, err := f.proof(cmd.Context(), "/proof/account/"+address.String())
			if err != nil {
				return err
			}
			e, err := f.entry(p, encoded)
			if err != nil {
				return err
			}
			got, ok, err := at.Account(address, e)
			if err != nil {
				return f.lied(err)
			}
			return a.showAccount(at, address, got, ok, len(encoded))
		},
	}
}

func (a *app) showAccount(at light.Final, address account.Address, got account.Account, ok bool, size int) error {
	view := struct {
		Block   finalView `json:"block"`
		Address string    `json:"address"`
		Exists  bool      `json:"exists"`
		Balance uint64    `json:"balance"`
		Nonce   uint64    `json:"nonce"`
		Actor   bool      `json:"actor"`
	}{viewFinal(at), address.String(), ok, uint64(got.Balance), got.Nonce, got.CodeHash != (digest.Hash{})}
	if a.asJSON {
		return a.showJSON(view)
	}
	text := fmt.Sprintf("Account %s does not exist\n", address)
	if ok {
		text = fmt.Sprintf("Account: %s\nBalance: %s CBY\nNonce: %d\n", address, got.Balance.CBY(), got.Nonce)
	}
	_, err := fmt.Fprintf(a.out, "%s%sProof: %d bytes\n", view.Block.text(), text, size)
	return err
}

func (a *app) lightStorage(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "storage ACTOR KEY", Short: "Prove a storage entry of an actor, or that it is not set", Args: cobra.ExactArgs(2),
		Long: "Prove a storage entry of an actor, or that it is not set. KEY is text, or 0x and hex digits.",
		RunE: func(cmd *cobra.Command, args []string) error {
			address, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			key, err := storageKey(args[1])
			if err != nil {
				return err
			}
			f, err := a.start(cmd.Context(), from)
			if err != nil {
				return err
			}
			return a.proveStorage(cmd.Context(), f, address, key)
		},
	}
}

func storageKey(text string) ([]byte, error) {
	if !strings.HasPrefix(text, "0x") {
		return []byte(text), nil
	}
	key, err := hex.DecodeString(text[2:])
	if err != nil {
		return nil, usageError{fmt.Errorf("%q is not a key: want text, or 0x and hex digits", shorten(text))}
	}
	return key, nil
}

func (a *app) proveStorage(ctx context.Context, f *follower, address account.Address, key []byte) error {
	var reply wire.Value
	if err := f.node.Read(ctx, fmt.Sprintf("/proof/storage/%s/%x", address, key), &reply); err != nil {
		return err
	}
	if reply.Proof == nil {
		return f.lied(light.ErrProof)
	}
	p, encoded, at, err := f.about(ctx, reply.Proof)
	if err != nil {
		return err
	}
	e, err := f.entry(p, encoded)
	if err != nil {
		return err
	}
	value, ok, err := at.Storage(address, key, e)
	if err != nil {
		return f.lied(err)
	}
	view := struct {
		Block finalView `json:"block"`
		Actor string    `json:"actor"`
		Key   string    `json:"key"`
		Set   bool      `json:"set"`
		Value string    `json:"value"`
	}{viewFinal(at), address.String(), wire.Hex(key), ok, wire.Hex(value)}
	if a.asJSON {
		return a.showJSON(view)
	}
	text := "is not set\n"
	if ok {
		text = fmt.Sprintf("holds %d bytes\nValue: %s\n", len(value), view.Value)
		if utf8.Valid(value) && len(value) > 0 {
			text += fmt.Sprintf("Text: %q\n", value)
		}
	}
	_, err = fmt.Fprintf(a.out, "%sKey %s of %s %sProof: %d bytes\n", view.Block.text(), view.Key, view.Actor, text, len(encoded))
	return err
}

// leaf is what a node says of a place in a block's trees, not yet held to the block.
type leaf struct {
	from  *follower
	hash  digest.Hash
	at    light.Final
	index uint32
	path  digest.MerkleProof
	value []byte
	size  int // of the proof, in bytes
}

// leaf asks for the proof of a hash, "tx" or "receipt".
func (a *app) leaf(ctx context.Context, from *lightStart, what, text string) (*leaf, error) {
	hash, err := parseHash(text)
	if err != nil {
		return nil, err
	}
	f, err := a.start(ctx, from)
	if err != nil {
		return nil, err
	}
	p, encoded, at, err := f.proof(ctx, "/proof/"+what+"/"+wire.Hash(hash))
	if err != nil {
		return nil, err
	}
	l := &leaf{from: f, hash: hash, at: at, size: len(encoded)}
	if l.path, l.index, err = f.place(p, encoded); err != nil {
		return nil, err
	}
	if l.value, err = hex.DecodeString(trim0x(p.Value)); err != nil {
		return nil, f.lied(err)
	}
	return l, nil
}

func (a *app) lightTransaction(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "tx HASH", Short: "Prove that a transaction is in a final block", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := a.leaf(cmd.Context(), from, "tx", args[0])
			if err != nil {
				return err
			}
			if err := l.at.Includes(l.hash, l.index, l.path); err != nil {
				return l.from.lied(err)
			}
			view := struct {
				Block finalView `json:"block"`
				Hash  string    `json:"hash"`
				Index uint32    `json:"index"`
				Of    uint32    `json:"transactions"`
			}{viewFinal(l.at), wire.Hash(l.hash), l.index, l.at.Header().TxCount}
			return a.show(view, "%sTransaction %s is number %d of %d in it\nProof: %d bytes\n", view.Block.text(), view.Hash, l.index+1, view.Of, l.size)
		},
	}
}

func (a *app) lightReceipt(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "receipt HASH", Short: "Prove what a transaction, message or timer fire led to", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := a.leaf(cmd.Context(), from, "receipt", args[0])
			if err != nil {
				return err
			}
			r, err := block.DecodeReceipt(l.value)
			if err != nil {
				return l.from.lied(err)
			}
			if r.ID != l.hash {
				return l.from.lied(light.ErrProof)
			}
			if err := l.at.Receipt(r, l.index, l.path); err != nil {
				return l.from.lied(err)
			}
			return a.showReceipt(l.at, r, l.size)
		},
	}
}

func (a *app) showReceipt(at light.Final, r *block.Receipt, size int) error {
	view := struct {
		Block  finalView `json:"block"`
		ID     string    `json:"id"`
		Status string    `json:"status"`
		Code   uint16    `json:"code"`
		Cycles uint64    `json:"cycles_used"`
		Cells  uint64    `json:"cells_used"`
		Events int       `json:"events"`
		Sender string    `json:"sender"`
		Target string    `json:"target"`
	}{viewFinal(at), wire.Hash(r.ID), r.Status.String(), r.Fault.Code, uint64(r.CyclesUsed), uint64(r.CellsUsed), len(r.Events), r.Sender.String(),
		r.Target.String()}
	outcome := view.Status
	if r.Status == block.Faulted {
		outcome += fmt.Sprintf(" %d", view.Code)
	}
	return a.show(view, "%sReceipt %s: %s\nFrom: %s\nTo: %s\nCycles: %d\nCells: %d\nEvents: %d\nProof: %d bytes\n",
		view.Block.text(), view.ID, outcome, view.Sender,
		view.Target, view.Cycles, view.Cells, view.Events, size)
}
