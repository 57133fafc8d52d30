package operate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/runner/paid"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// vouchersDir is where the book of vouchers lies, in a data directory.
const vouchersDir = "vouchers"

// selling is what a configuration says of answers that are paid piece by piece.
type selling struct {
	Listen  string `toml:"listen"` // host:port; "" for none
	Cert    string `toml:"cert"`   // PEM files, from the data directory on; without them it is plain HTTP
	Key     string `toml:"key"`
	Request string `toml:"per_request"` // CBY
	Piece   string `toml:"per_piece"`   // CBY
	Ahead   uint64 `toml:"ahead"`       // pieces that come before they are paid; 0 for 4
	Worth   string `toml:"settle_at"`   // CBY that a voucher is settled at; "" for 1
}

// maxAhead bounds the credit of a session.
const maxAhead = 1_024

// prices reads what a runner takes, and at what a voucher is settled.
func (s *selling) prices() (p paid.Prices, worth unit.Amount, err error) {
	read := func(name, text, otherwise string) (a unit.Amount) {
		if text == "" {
			text = otherwise
		}
		a, wrong := unit.ParseCBY(text)
		if wrong != nil {
			err = errors.Join(err, fmt.Errorf("sessions.%s: %w", name, wrong))
		}
		return a
	}
	p = paid.Prices{Request: read("per_request", s.Request, "0"), Piece: read("per_piece", s.Piece, "0"), Ahead: s.Ahead}
	worth = read("settle_at", s.Worth, "1")
	if p.Ahead == 0 {
		p.Ahead = 4
	}
	if s.Listen != "" && (p.Piece == 0 || p.Piece > unit.CBY || p.Request > unit.CBY*1_000 || p.Ahead > maxAhead || worth == 0) {
		err = errors.Join(err, errors.New("sessions: a piece costs something and 1 CBY at most, a request 1,000 CBY, and at most 1,024 pieces come ahead"))
	}
	if (s.Cert == "") != (s.Key == "") {
		err = errors.Join(err, errors.New("sessions: a certificate has a key"))
	}
	return p, worth, err
}

// answers is the models of a runner, for answers that are taken part by part.
type answers struct{ models *work.LLM }

// Stream implements paid.Model.
func (a answers) Stream(ctx context.Context, ask paid.Ask, each func(string) error) error {
	q := work.Question{System: ask.System, Prompt: ask.Prompt, Most: ask.Most}
	if ask.Model != "" {
		id, err := digest.ParseHash(ask.Model)
		if err != nil {
			return err
		}
		q.Model = id
	}
	return a.models.Stream(ctx, q, each)
}

// sell opens the port of answers that are paid piece by piece, and gives what of it runs in the tree.
//
// Spec: gateway-payments-streams §D.
func (r *running) sell(set *work.Set, chain *Client) (spec supervision.Spec, stop func() error, err error) {
	c := &r.config.Sessions
	models, ok := set.Executors[job.LLM].(*work.LLM)
	if !ok {
		return spec, nil, errors.New("sessions: no model is configured")
	}
	prices, worth, err := c.prices()
	if err != nil {
		return spec, nil, err
	}
	files, err := disk.NewDirectory(filepath.Join(r.dir, vouchersDir))
	if err != nil {
		return spec, nil, err
	}
	book, err := paid.OpenBook(files, chain.wallet.Key.Address())
	if err != nil {
		return spec, nil, err
	}
	seller := paid.NewSeller(paid.Seller{
		Chain: chain, Model: answers{models}, Book: book, Runner: chain.wallet.Key.Address(), ChainID: r.config.Runner.ChainID, Prices: prices,
	})
	socket, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return spec, nil, errors.Join(err, book.Close())
	}
	socket, server := paid.Connections.Bounded(socket), paid.NewServer(seller)
	serve := func() error { return server.Serve(socket) }
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(filepath.Join(r.dir, c.Cert), filepath.Join(r.dir, c.Key))
		if err != nil {
			return spec, nil, errors.Join(err, socket.Close(), book.Close())
		}
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
		serve = func() error { return server.ServeTLS(socket, "", "") }
	}
	go func() { _ = serve() }()
	r.log.Info().Str("sessions", socket.Addr().String()).Str("prices", prices.Advert(r.config.Runner.ChainID, seller.Runner).String()).
		Msg("answers are sold piece by piece")
	spec = paid.Tree(book, chain, worth, supervision.RealClock{}, func(what string, id digest.Hash, err error) {
		r.log.Info().Str("session", id.Hex()).Err(err).Msg(what)
	})
	return spec, func() error { return errors.Join(server.Close(), book.Close()) }, nil
}

// Session implements paid.Chain.
func (c *Client) Session(ctx context.Context, id digest.Hash) (paid.Session, unit.Height, error) {
	return api.Sessions{Node: c.wallet.Node}.Session(ctx, id)
}

// settleCost is what a settlement takes at most.
var settleCost = tx.Cost{Cycles: 60_000, Cells: 1_000}

// Settle implements paid.Settling.
//
// Spec: gateway-payments-streams §D (54).
func (c *Client) Settle(ctx context.Context, v *voucher.Voucher, s sig.Signature) error {
	return c.Send(ctx, &tx.SessionSettle{
		SessionID: v.Session, CumulativeAmount: v.Cumulative, Nonce: v.Nonce, ExpiresAt: uint64(v.Expires), UsageDigest: v.Usage, Signature: s,
	}, settleCost)
}
