package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/explorer"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
)

const (
	defaultPage = 50
	maxPage     = 1_000
)

func (s *server) routes(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("OK")) })
	mux.HandleFunc("GET /health/ready", s.ready)
	mux.HandleFunc("GET /health/detailed", func(w http.ResponseWriter, _ *http.Request) { s.answer(w, b.Health(), nil) })
	mux.HandleFunc("GET /height", func(w http.ResponseWriter, _ *http.Request) { s.answer(w, b.Height(), nil) })
	mux.HandleFunc("GET /basefee", func(w http.ResponseWriter, _ *http.Request) { s.answer(w, b.Basefee(), nil) })
	mux.HandleFunc("GET /tree", func(w http.ResponseWriter, _ *http.Request) { s.answer(w, b.Tree(), nil) })
	mux.HandleFunc("GET "+DocumentPath, openAPI)

	mux.HandleFunc("GET /blocks", s.page(func(_ *http.Request, offset, limit uint64) (any, error) { return b.Blocks(offset, limit) }))
	mux.HandleFunc("GET /block/latest", func(w http.ResponseWriter, _ *http.Request) {
		block, err := b.BlockAt(b.Height().Height)
		s.answer(w, block, err)
	})
	mux.HandleFunc("GET /block/height/{height}", s.byHeight(func(h uint64) (any, error) { return b.BlockAt(h) }))
	mux.HandleFunc("GET /block/height/{height}/receipts", s.byHeight(func(h uint64) (any, error) { return b.BlockReceipts(h) }))
	mux.HandleFunc("GET /block/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.BlockByHash(h) }))

	mux.HandleFunc("POST /submit", s.submit)
	mux.HandleFunc("POST /submit_wait", s.submitWait)
	mux.HandleFunc("GET /transaction/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Transaction(h) }))
	mux.HandleFunc("GET /transaction/{hash}/receipt", s.byHash(func(h digest.Hash) (any, error) { return b.Receipt(h) }))
	mux.HandleFunc("GET /trace/{hash}", s.trace)
	mux.HandleFunc("GET /mempool/transaction/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Pending(h) }))

	mux.HandleFunc("GET /account/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.Account(a) }))
	mux.HandleFunc("GET /account/{addr}/transactions", s.pageOf(func(a account.Address, offset, limit uint64) (any, error) {
		list, total, err := b.AccountTransactions(a, offset, limit)
		return map[string]any{"transactions": list, "total_count": total, "offset": offset, "limit": limit}, err
	}))
	mux.HandleFunc("GET /actor/{addr}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		limit, err := number(r, "limit", maxPage)
		if err != nil {
			return nil, err
		}
		after, err := hex.DecodeString(trim0x(r.URL.Query().Get("cursor")))
		if err != nil {
			return nil, badRequest("cursor is not one this node gave")
		}
		return b.Actor(a, after, min(limit, maxPage))
	}))
	mux.HandleFunc("GET "+wire.ErrorPath, errorPage)
	mux.HandleFunc("GET /actor/{addr}/code", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.Code(a) }))
	mux.HandleFunc("GET /actor/{addr}/logs", s.pageOf(func(a account.Address, offset, limit uint64) (any, error) { return b.Logs(a, offset, limit) }))
	mux.HandleFunc("GET /actor/{addr}/events", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			return nil, err
		}
		return b.Events(a, r.URL.Query().Get("cursor"), min(limit, maxPage))
	}))
	mux.HandleFunc("GET /actor/{addr}/timers", s.pageOf(func(a account.Address, offset, limit uint64) (any, error) { return b.ActorTimers(a, offset, limit) }))
	mux.HandleFunc("GET /timers", s.page(func(r *http.Request, offset, limit uint64) (any, error) {
		height, err := number(r, "height", 0)
		if err != nil {
			return nil, err
		}
		return b.TimersAt(height, offset, limit)
	}))
	mux.HandleFunc("GET /state/{addr}/{key}", s.byAddress(func(r *http.Request, a account.Address) (any, error) { return s.value(r, a, nil) }))
	mux.HandleFunc("GET /state/at/{height}/{addr}/{key}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		height, err := strconv.ParseUint(r.PathValue("height"), 10, 64)
		if err != nil {
			return nil, badRequest("a height is a decimal number")
		}
		return s.value(r, a, &height)
	}))
	mux.HandleFunc("GET /parameters", func(w http.ResponseWriter, _ *http.Request) {
		list, err := b.Parameters()
		s.answer(w, list, err)
	})
	for _, more := range []func(*http.ServeMux){
		s.proofs, s.executions, s.actors, s.light, s.validators, s.tokens, s.entitlements, s.governance, s.activity, s.rent, s.jobs, s.containers, s.collateral,
		s.delegations, s.flows, s.fees, s.volumes, s.retentions, s.names, s.secrets, s.banks, s.sessions, s.subscriptions, s.paidStreams, s.payments,
		s.proxyWork,
	} {
		more(mux)
	}
	mux.HandleFunc("GET /stream", s.stream)
	mux.HandleFunc("GET /ws", s.socket)
	mux.Handle("GET "+explorer.Path, explorer.New(b, door.SourceAt))
	if s.Faucet {
		mux.HandleFunc("POST /faucet", s.fund)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, refuse(http.StatusNotFound, 4004, "no such call: "+r.Method+" "+r.URL.Path+"; see /api-docs/openapi.json"))
	})
}

// proofs adds the calls that prove what a state or a block has.
func (s *server) proofs(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /proof/account/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.ProveAccount(a) }))
	mux.HandleFunc("GET /proof/actor/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.ProveAccount(a) }))
	mux.HandleFunc("GET /proof/storage/{addr}/{key}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		q := r.URL.Query()
		q.Set("prove", "true")
		r.URL.RawQuery = q.Encode()
		return s.value(r, a, nil)
	}))
	mux.HandleFunc("GET /proof/record/{addr}/{key}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		name, err := hex.DecodeString(trim0x(r.PathValue("key")))
		if err != nil {
			return nil, badRequest("a record's key is hex digits")
		}
		return b.ProveRecord(a, name)
	}))
	mux.HandleFunc("GET /proof/tx/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.ProveTransaction(h) }))
	mux.HandleFunc("GET /proof/receipt/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.ProveReceipt(h) }))
}

// home sends people to the explorer and programs to the description of the interface.
func (s *server) home(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, explorer.Path, http.StatusSeeOther)
		return
	}
	s.answer(w, map[string]any{"height": s.Backend.Height().Height, "api": "/api-docs/openapi.json", "explorer": explorer.Path}, nil)
}

func (s *server) ready(w http.ResponseWriter, _ *http.Request) {
	state := s.Backend.Ready()
	status := http.StatusOK
	if !state.Ready {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, state)
}

func (s *server) value(r *http.Request, a account.Address, height *uint64) (any, error) {
	key, err := hex.DecodeString(trim0x(r.PathValue("key")))
	if err != nil {
		return nil, badRequest("a storage key is hex digits")
	}
	prove := r.URL.Query().Get("prove")
	return s.Backend.Value(a, key, height, prove == "1" || prove == "true")
}

func trim0x(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text, "0x"), "0X")
}

// number reads a query parameter.
func number(r *http.Request, name string, fallback uint64) (uint64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, badRequest(name + " is a decimal number")
	}
	return n, nil
}

func pageOf(r *http.Request) (offset, limit uint64, err error) {
	if offset, err = number(r, "offset", 0); err != nil {
		return
	}
	limit, err = number(r, "limit", defaultPage)
	return offset, min(limit, maxPage), err
}

func (s *server) page(read func(r *http.Request, offset, limit uint64) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		offset, limit, err := pageOf(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		value, err := read(r, offset, limit)
		s.answer(w, value, err)
	}
}

// AddressFault says what is wrong with an address that account.ReadAddress refused.
func AddressFault(err error) string {
	if errors.Is(err, account.ErrChecksum) {
		return "the address is mistyped: the case of its letters is not that of its checksum (EIP-55); copy it again"
	}
	return "an address is 40 hex digits, with or without 0x"
}

func badAddress(err error) error { return badRequest(AddressFault(err)) }

func (s *server) byAddress(read func(r *http.Request, a account.Address) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		addr, err := account.ReadAddress(r.PathValue("addr"))
		if err != nil {
			s.fail(w, badAddress(err))
			return
		}
		value, err := read(r, addr)
		s.answer(w, value, err)
	}
}

func (s *server) pageOf(read func(a account.Address, offset, limit uint64) (any, error)) http.HandlerFunc {
	return s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		offset, limit, err := pageOf(r)
		if err != nil {
			return nil, err
		}
		return read(a, offset, limit)
	})
}

func (s *server) byHash(read func(h digest.Hash) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := hex.DecodeString(trim0x(r.PathValue("hash")))
		if err != nil || len(raw) != len(digest.Hash{}) {
			s.fail(w, badRequest("a hash is 64 hex digits, with or without 0x; what has a height is asked for below /block/height/"))
			return
		}
		value, err := read(digest.Hash(raw))
		s.answer(w, value, err)
	}
}

func (s *server) byHeight(read func(height uint64) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		height, err := strconv.ParseUint(r.PathValue("height"), 10, 64)
		if err != nil {
			s.fail(w, badRequest("a height is a decimal number"))
			return
		}
		value, err := read(height)
		s.answer(w, value, err)
	}
}

// errorPage serves the page that the docs_url of errors lead to.
func errorPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(wire.ErrorHTML()))
}
