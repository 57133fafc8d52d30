package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	together = 250   // blocks of one append
	sparse   = 10    // one block of so many has a transfer
	samples  = 100   // transactions that are asked for
	images   = 5_000 // blocks between two checkpoints
)

// history is a chain that nobody agreed on: its blocks follow from each other, and no certificate makes one final. A node serves it, and makes no block
// behind it.
type history struct {
	chain  *ledger.Disk
	runner drain.Runner
	tip    transition.Parent
	nonce  uint64
	some   []digest.Hash // transactions all over the chain
	last   digest.Hash
}

// recall makes the directory of an archive node with so many blocks, a transfer in each tenth.
func recall(ctx context.Context, dir string, blocks int) (*history, error) {
	path := filepath.Join(dir, "chain")
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		return nil, err
	}
	d, err := disk.NewDirectory(path)
	if err != nil {
		return nil, err
	}
	h := &history{runner: host.New(host.NewPrograms())}
	if h.chain, err = ledger.OpenDisk(d, filepath.Join(path, "image"), spec, store.Options{Window: store.Archive, ProofCache: -1}); err != nil {
		return nil, err
	}
	first, err := h.chain.Block(0)
	if err != nil {
		return nil, err
	}
	h.tip = transition.Parent{Header: &first.Header, State: h.chain.State()}
	for made := 0; made < blocks && ctx.Err() == nil; made += together {
		if err := h.extend(max(blocks/samples, 1)); err != nil {
			return nil, err
		}
		if made%images == 0 {
			if err := h.chain.Maintain(); err != nil {
				return nil, err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h, h.chain.Close()
}

// extend appends blocks, and remembers a transfer of so many blocks.
func (h *history) extend(apart int) error {
	list := make([]*ledger.Final, together)
	for i := range list {
		var txs []tx.Verified
		if i%sparse == 0 {
			v, err := h.transfer()
			if err != nil {
				return err
			}
			txs, h.last = append(txs, v), v.Tx().SigningHash()
			if len(h.some)*apart <= int(h.tip.Header.Height) {
				h.some = append(h.some, h.last)
			}
		}
		made, err := h.execute(txs)
		if err != nil {
			return err
		}
		list[i] = made
	}
	if err := h.chain.Append(list...); err != nil {
		return err
	}
	h.tip.State = h.chain.State()
	return nil
}

// transfer pays one of 1,000 accounts from the faucet's.
func (h *history) transfer() (tx.Verified, error) {
	key, to := genesis.DevFaucet(), account.Address{0xbe}
	binary.BigEndian.PutUint64(to[12:], h.nonce%1_000)
	t := &tx.Tx{
		ChainID: chainID, Nonce: h.nonce, Instruction: &tx.Transfer{To: to, Amount: 1}, CyclesLimit: 21_000, From: key.Address(),
		MaxFeePerCycle: 1_000_000, MaxFeePerCell: 1_000_000,
	}
	t.Signature = key.Sign(t.SigningHash())
	h.nonce++
	return tx.Verify(t, chainID, sig.Default())
}

func (h *history) execute(txs []tx.Verified) (*ledger.Final, error) {
	parent := h.tip.Header
	header := block.Header{
		Version: params.ProtocolVersion, ChainID: chainID, Height: parent.Height + 1, Epoch: params.Calendar{}.Epoch(parent.Height + 1), View: parent.View + 1,
		ParentView: parent.View, ParentHash: parent.Hash(), TimestampMs: parent.TimestampMs + 1_000, Proposer: account.Address{0xaa},
	}
	if round, ok := block.SeedRound(header.Round(), parent); ok {
		header.ParentSeed = &sig.Seed{Round: round}
	}
	header.VRFOutput = block.VRFOutput(header.VRFProof)
	result, err := transition.Apply(h.tip, transition.Job{Mode: transition.Build, Header: header, Txs: txs}, h.runner)
	if err != nil {
		return nil, err
	}
	if len(result.Refused) > 0 {
		return nil, fmt.Errorf("block %d: %w", header.Height, result.Refused[0].Reason)
	}
	body := &block.Block{Header: result.Header}
	for _, v := range result.Txs {
		body.Txs = append(body.Txs, v.Tx())
	}
	h.tip = transition.Parent{Header: &result.Header, State: result.State}
	return &ledger.Final{Block: body, Hash: result.Header.Hash(), Receipts: result.Receipts, Flows: result.Flows, State: result.State}, nil
}

// longChain measures the pages of a node with so many blocks: every page of the explorer in turns for as long as told.
func longChain(ctx context.Context, bin string, blocks int, length time.Duration) error {
	dir, err := os.MkdirTemp("", "cowboy-audience-")
	if err != nil {
		return err
	}
	began := time.Now()
	h, err := recall(ctx, dir, blocks)
	if err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	fmt.Printf("%d blocks were made in %v\n", h.tip.Header.Height, time.Since(began).Round(time.Second))
	began = time.Now()
	n, err := startIn(ctx, bin, dir, "--mode", "archive")
	if err != nil {
		return err
	}
	defer n.stop()
	for n.client.Read(ctx, "/transaction/"+h.last.String(), new(any)) != nil { // until the index has caught up
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	fmt.Printf("they are in the index after %v\n", time.Since(began).Round(time.Second))
	under, halt := context.WithTimeout(ctx, length)
	defer halt()
	pages := newPages(n.url)
	pages.long(under, int(h.tip.Header.Height), h.some, genesis.DevFaucet().Address().String())
	pages.print()
	return ctx.Err()
}

// long asks for pages of a chain that stands still, each time for other blocks, until ctx ends.
func (p *pages) long(ctx context.Context, top int, some []digest.Hash, busy string) {
	defer close(p.ended)
	for i := 1; ctx.Err() == nil; i++ {
		far := i * 7_919 % top // prime: all over the chain
		for _, page := range [...]struct{ name, path string }{
			{"overview", ""}, {"blocks", "blocks"}, {"older blocks", fmt.Sprintf("blocks?before=%d", far)}, {"block", fmt.Sprintf("block/%d", far)},
			{"transaction", "tx/" + some[i%len(some)].String()}, {"account", "account/" + busy}, {"actors", "actors"}, {"timers", "timers"},
			{"tokens", "tokens"}, {"validators", "validators"}, {"parameters", "parameters"}, {"proposals", "proposals"}, {"tree", "tree"},
			{"runners", "runners"}, {"storage", "storage"}, {"names", "names"}, {"activity, minutes", "activity"}, {"activity, hours", "activity?over=hours"},
			{"coins", "coins"}, {"coins, hours", "coins?over=hours"}, {"wall", "wall"}, {"live, first", "live"}, {"search", fmt.Sprintf("search?q=%d", far)},
		} {
			p.ask(ctx, page.name, page.path)
		}
	}
}
