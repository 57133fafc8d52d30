package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// lightPoll is how often a light client asks for what is not there yet.
const lightPoll = 200 * time.Millisecond

// follower is a light client and the untrusted node it asks.
type follower struct {
	node    *api.Client
	client  *light.Client
	crossed func(x *light.EpochProof) // told of every epoch's end

	origin string                        // what was trusted in the beginning
	begin  func() (*light.Client, error) // a client at the genesis; nil where that is not known
	state  string                        // file that keeps the client; "" for none
	kept   bool                          // with keptHead in keptEpoch

	keptHead  digest.Hash
	keptEpoch uint64
}

// lightStart says what the user trusts.
type lightStart struct {
	genesis string
	devnet  int
	chainID uint64
	trust   string
	state   string
}

func (a *app) lightCommand() *cobra.Command {
	var from lightStart
	cmd := &cobra.Command{
		Use: "light", Short: "Verify blocks, accounts and storage without trusting a node",
		Long: "Verify blocks, accounts and storage without trusting a node.\n\n" +
			"A light client follows headers that a quorum of validators made final, over every change of the validator set, and checks proofs against\n" +
			"them. It starts from what you trust: the network's genesis (--genesis FILE), the development network (--devnet VALIDATORS), or the hash of a\n" +
			"recent block (--trust HEIGHT:HASH). The node it asks can withhold answers; it cannot make you believe a false one.\n\n" +
			"With --state FILE the client keeps what it has verified in a file and goes on from there the next time; then nothing else has to be said. The\n" +
			"file is trusted as the start was: keep it where nobody else writes, and use it at least once a week.",
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&from.genesis, "genesis", "", "genesis file of the network")
	flags.IntVar(&from.devnet, "devnet", 0, "the development network with so many validators")
	flags.Uint64Var(&from.chainID, "chain-id", 1, "chain id of the development network")
	flags.StringVar(&from.trust, "trust", "", "HEIGHT:HASH of a block at most a week old")
	flags.StringVar(&from.state, "state", "", "file that keeps what was verified; made if it does not exist")
	cmd.AddCommand(a.lightFollow(&from), a.lightAccount(&from), a.lightStorage(&from), a.lightRecord(&from), a.lightRequest(&from),
		a.lightTransaction(&from), a.lightReceipt(&from))
	return cmd
}

// start makes the client from what the user trusts.
func (a *app) start(ctx context.Context, from *lightStart) (*follower, error) {
	given := 0
	for _, is := range []bool{from.genesis != "", from.devnet > 0, from.trust != ""} {
		if is {
			given++
		}
	}
	f := &follower{node: a.node(), crossed: func(*light.EpochProof) {}, state: from.state}
	unsaid := usageError{errors.New("say what you trust: one of --genesis FILE, --devnet VALIDATORS, --trust HEIGHT:HASH")}
	switch {
	case given > 1:
		return nil, unsaid
	case from.trust != "":
		f.origin = "block " + from.trust
	case given == 1:
		if err := f.found(from); err != nil {
			return nil, err
		}
	}
	if from.state != "" {
		if resumed, err := f.resume(from); resumed || err != nil {
			return f, err
		}
	}
	var err error
	switch {
	case given == 0:
		return nil, unsaid
	case from.trust != "":
		f.client, err = f.trusting(ctx, from.trust)
	default:
		f.client, err = f.begin()
	}
	if err != nil {
		return nil, err
	}
	return f, f.keep()
}

// found builds the genesis state, from which clients take the first validator set.
func (f *follower) found(from *lightStart) error {
	spec, err := readSpec(from)
	if err != nil {
		return err
	}
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := system.Found(spec, o); err != nil {
		return fmt.Errorf("the genesis: %w", err)
	}
	c, err := o.Commit(0)
	if err != nil {
		return err
	}
	f.origin = "genesis " + wire.Hash(spec.Header(c.Root()).Hash())
	f.begin = func() (*light.Client, error) { return light.New(spec.ChainID, c, 0) }
	return nil
}

func readSpec(from *lightStart) (*genesis.Spec, error) {
	if from.devnet > 0 {
		return genesis.Devnet(from.chainID, from.devnet)
	}
	file, err := os.Open(from.genesis)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	spec, err := genesis.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from.genesis, err)
	}
	return spec, nil
}

// trusting asks for the validator set in the state of a block whose hash is trusted.
func (f *follower) trusting(ctx context.Context, text string) (*light.Client, error) {
	at, hashText, ok := strings.Cut(text, ":")
	height, err := strconv.ParseUint(at, 10, 64)
	if !ok || err != nil {
		return nil, usageError{fmt.Errorf("--trust %s: want HEIGHT:HASH, as `cowboy block latest` of a node you trust prints them", text)}
	}
	hash, err := parseHash(hashText)
	if err != nil {
		return nil, err
	}
	var reply wire.Trust
	if err := f.node.Read(ctx, fmt.Sprintf("/light/trust/%d", height), &reply); err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(trim0x(reply.Encoded))
	if err != nil {
		return nil, f.lied(err)
	}
	t, err := light.DecodeTrust(raw)
	if err != nil {
		return nil, f.lied(err)
	}
	client, err := light.NewTrusting(t.Header.ChainID, hash, t)
	if err != nil {
		return nil, f.lied(err)
	}
	return client, nil
}

// lied is the error about a node whose answer does not prove what it says.
func (f *follower) lied(err error) error {
	return fmt.Errorf("%s gave an answer that is not proven: %w\n  ask another node with --rpc-url; if all say so, check what you trust", f.node.URL, err)
}

// reach takes a client into an epoch.
func (f *follower) reach(ctx context.Context, client *light.Client, epoch uint64) error {
	for client.Epoch() < epoch {
		var reply wire.EpochProof
		if err := f.node.Read(ctx, fmt.Sprintf("/light/epoch-proof/%d", client.Epoch()), &reply); err != nil {
			return err
		}
		raw, err := hex.DecodeString(trim0x(reply.Encoded))
		if err != nil {
			return f.lied(err)
		}
		x, err := light.DecodeEpochProof(raw)
		if err != nil {
			return f.lied(err)
		}
		if err := client.Advance(x); err != nil {
			return f.lied(err)
		}
		if client != f.client {
			continue
		}
		f.crossed(x)
		if err := f.keep(); err != nil {
			return err
		}
	}
	return nil
}

// final makes the header at a height final, or the newest one where newest.
func (f *follower) final(ctx context.Context, height uint64, newest bool) (light.Final, *sig.Certificate, error) {
	path := fmt.Sprintf("/light/final/%d", height)
	if newest {
		path = "/light/final"
	}
	reply, err := f.await(ctx, path)
	if err != nil {
		return light.Final{}, nil, err
	}
	headers, certificate, err := decodeFinal(reply)
	if err != nil {
		return light.Final{}, nil, f.lied(err)
	}
	client, err := f.standing(ctx, headers[0])
	if err != nil {
		return light.Final{}, nil, err
	}
	head := client.Head()
	if head.Header() == nil || head.Hash() != headers[0].Hash() {
		if head, err = client.Follow(headers[0], certificate); err != nil {
			return light.Final{}, nil, f.lied(err)
		}
		if err := f.keep(); err != nil {
			return light.Final{}, nil, err
		}
	}
	at, err := head.Ancestor(headers[1:]...)
	if err == nil && !newest && uint64(at.Header().Height) != height {
		err = light.ErrHeader
	}
	if err != nil {
		return light.Final{}, nil, f.lied(err)
	}
	return at, certificate, nil
}

// await asks until there is an answer: the certificate of a block that was just made may be on its way.
func (f *follower) await(ctx context.Context, path string) (reply wire.Final, err error) {
	for range 50 {
		if err = f.node.Read(ctx, path, &reply); !api.NotFound(err) {
			return reply, err
		}
		select {
		case <-time.After(lightPoll):
		case <-ctx.Done():
			return reply, ctx.Err()
		}
	}
	return reply, err
}

// finalHeaders bounds the headers of one answer.
const finalHeaders = 1024

func decodeFinal(reply wire.Final) ([]*block.Header, *sig.Certificate, error) {
	if len(reply.Headers) == 0 || len(reply.Headers) > finalHeaders {
		return nil, nil, fmt.Errorf("%d headers", len(reply.Headers))
	}
	var headers []*block.Header
	for _, text := range reply.Headers {
		raw, err := hex.DecodeString(trim0x(text))
		if err != nil {
			return nil, nil, err
		}
		h, err := block.DecodeHeader(raw)
		if err != nil {
			return nil, nil, err
		}
		headers = append(headers, h)
	}
	raw, err := hex.DecodeString(trim0x(reply.Certificate))
	if err != nil {
		return nil, nil, err
	}
	c, err := sig.DecodeCertificate(raw)
	return headers, c, err
}

// proof asks for a proof and makes the block it is about final.
func (f *follower) proof(ctx context.Context, path string) (*wire.Proof, []byte, light.Final, error) {
	var p wire.Proof
	if err := f.node.Read(ctx, path, &p); err != nil {
		return nil, nil, light.Final{}, err
	}
	return f.about(ctx, &p)
}

func (f *follower) about(ctx context.Context, p *wire.Proof) (*wire.Proof, []byte, light.Final, error) {
	encoded, err := hex.DecodeString(trim0x(p.Encoded))
	if err != nil {
		return nil, nil, light.Final{}, f.lied(err)
	}
	at, _, err := f.final(ctx, p.Height, false)
	return p, encoded, at, err
}

// entry reads a proof about a key of the state.
func (f *follower) entry(p *wire.Proof, encoded []byte) (*light.Entry, error) {
	value, err := hex.DecodeString(trim0x(p.Value))
	if err != nil {
		return nil, f.lied(err)
	}
	return &light.Entry{Present: p.Kind == "membership", Value: value, Proof: encoded}, nil
}

// place reads a proof of a place in a block.
func (f *follower) place(p *wire.Proof, encoded []byte) (digest.MerkleProof, uint32, error) {
	m, err := digest.DecodeMerkleProof(encoded)
	if err != nil || p.Index > 1<<31 {
		return m, 0, f.lied(errors.Join(light.ErrProof, err))
	}
	return m, uint32(p.Index), nil
}
