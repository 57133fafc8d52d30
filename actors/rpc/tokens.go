package rpc

import (
	"encoding/hex"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
)

// tokens adds the calls about tokens. Pages are read from the state, at most maxPage entries at a time.
//
// Spec: node-rpc-cli §2.6; tokens §2.
func (s *server) tokens(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /tokens", func(w http.ResponseWriter, r *http.Request) {
		after, limit, err := tokenPage(r)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := b.Tokens(after, limit)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /token/{hash}", s.byHash(func(id token.ID) (any, error) { return b.Token(id) }))
	mux.HandleFunc("GET /token/{hash}/balance/{addr}", s.byToken(func(id token.ID, r *http.Request) (any, error) {
		who, err := pathAddress(r, "addr")
		if err != nil {
			return nil, err
		}
		return b.TokenBalance(id, who)
	}))
	mux.HandleFunc("GET /token/{hash}/allowance/{owner}/{spender}", s.byToken(func(id token.ID, r *http.Request) (any, error) {
		owner, err := pathAddress(r, "owner")
		if err != nil {
			return nil, err
		}
		spender, err := pathAddress(r, "spender")
		if err != nil {
			return nil, err
		}
		return b.TokenAllowance(id, owner, spender)
	}))
	mux.HandleFunc("GET /token/{hash}/holders", s.byToken(func(id token.ID, r *http.Request) (any, error) {
		n, err := number(r, "limit", defaultPage)
		if err != nil {
			return nil, err
		}
		return b.TokenHolders(id, r.URL.Query().Get("cursor"), int(min(max(n, 1), maxPage)))
	}))
	mux.HandleFunc("GET /token/{hash}/transfers", s.byToken(func(id token.ID, r *http.Request) (any, error) {
		n, err := number(r, "limit", defaultPage)
		if err != nil {
			return nil, err
		}
		return b.TokenMoves(id, r.URL.Query().Get("cursor"), int(min(max(n, 1), maxPage)))
	}))
	mux.HandleFunc("GET /account/{addr}/tokens", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		after, limit, err := tokenPage(r)
		if err != nil {
			return nil, err
		}
		return b.AccountTokens(a, after, limit)
	}))
}

func (s *server) byToken(read func(id token.ID, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.byHash(func(id token.ID) (any, error) { return read(id, r) })(w, r)
	}
}

func pathAddress(r *http.Request, name string) (account.Address, error) {
	a, err := account.ReadAddress(r.PathValue(name))
	if err != nil {
		return a, badAddress(err)
	}
	return a, nil
}

// tokenPage reads which page is asked for: tokens after the cursor, nil for the first.
func tokenPage(r *http.Request) (after *token.ID, limit int, err error) {
	if text := r.URL.Query().Get("cursor"); text != "" {
		raw, err := hex.DecodeString(trim0x(text))
		if err != nil || len(raw) != len(token.ID{}) {
			return nil, 0, badRequest("cursor is not one this node gave")
		}
		id := token.ID(raw)
		after = &id
	}
	n, err := number(r, "limit", defaultPage)
	return after, int(min(max(n, 1), maxPage)), err
}

// tokenCalls describes them.
func tokenCalls() []Call {
	page := []string{"cursor:string:those after this one", "limit:integer:how many, 50 unless told, at most 1000"}
	return []Call{
		{"get", "/tokens", "all tokens, by identifier", page, "", wire.Tokens{}},
		{"get", "/token/{hash}", "a token", nil, "", wire.Token{}},
		{"get", "/token/{hash}/balance/{addr}", "what an account has of a token", nil, "", wire.TokenBalance{}},
		{"get", "/token/{hash}/allowance/{owner}/{spender}", "what an account may spend of another's tokens", nil, "", wire.TokenAllowance{}},
		{"get", "/token/{hash}/holders", "who has some of a token, who has most first", page, "", wire.TokenHolders{}},
		{"get", "/token/{hash}/transfers", "how a token's balances changed, the newest change first", page, "", wire.TokenMoves{}},
		{"get", "/account/{addr}/tokens", "the tokens an account has", page, "", wire.Holdings{}},
	}
}

// tokenAt reads a token, and the newest state it is in.
func (n *Node) tokenAt(id token.ID) (uint64, state.Reader, *token.Token, error) {
	tip, err := n.tip()
	if err != nil {
		return 0, nil, nil, err
	}
	t, err := token.Load(tip.State, id)
	if err == nil && t == nil {
		err = errNotFound
	}
	return uint64(tip.Header.Height), tip.State, t, err
}

// Tokens implements Backend.
func (n *Node) Tokens(after *token.ID, limit int) (wire.Tokens, error) {
	tip, err := n.tip()
	if err != nil {
		return wire.Tokens{}, err
	}
	return tokensIn(tip.State, uint64(tip.Header.Height), after, limit)
}

func tokensIn(view state.Reader, height uint64, after *token.ID, limit int) (wire.Tokens, error) {
	list, more, err := token.List(view, after, limit)
	out := wire.Tokens{Height: height, Tokens: []wire.Token{}}
	for _, e := range list {
		out.Tokens = append(out.Tokens, wire.FromToken(e.ID, e.Token))
		if more {
			out.NextCursor = e.ID.String()
		}
	}
	return out, err
}

// Token implements Backend.
func (n *Node) Token(id token.ID) (wire.Token, error) {
	_, _, t, err := n.tokenAt(id)
	if err != nil {
		return wire.Token{}, err
	}
	return wire.FromToken(id, t), nil
}

// TokenBalance implements Backend.
func (n *Node) TokenBalance(id token.ID, who account.Address) (wire.TokenBalance, error) {
	height, view, _, err := n.tokenAt(id)
	if err != nil {
		return wire.TokenBalance{}, err
	}
	held, err := token.Balance(view, id, who)
	if err != nil {
		return wire.TokenBalance{}, err
	}
	frozen, err := token.Frozen(view, id, who)
	return wire.TokenBalance{Height: height, TokenID: id.String(), Address: who.String(), Balance: held.String(), Frozen: frozen}, err
}

// TokenAllowance implements Backend.
func (n *Node) TokenAllowance(id token.ID, owner, spender account.Address) (wire.TokenAllowance, error) {
	height, view, _, err := n.tokenAt(id)
	if err != nil {
		return wire.TokenAllowance{}, err
	}
	amount, err := token.Allowance(view, id, owner, spender)
	return wire.TokenAllowance{Height: height, TokenID: id.String(), Owner: owner.String(), Spender: spender.String(), Amount: amount.String()}, err
}

// AccountTokens implements Backend.
func (n *Node) AccountTokens(who account.Address, after *token.ID, limit int) (wire.Holdings, error) {
	tip, err := n.tip()
	if err != nil {
		return wire.Holdings{}, err
	}
	return holdingsIn(tip.State, uint64(tip.Header.Height), who, after, limit)
}

func holdingsIn(view state.Reader, height uint64, who account.Address, after *token.ID, limit int) (wire.Holdings, error) {
	nonce, err := token.PermitNonce(view, who)
	if err != nil {
		return wire.Holdings{}, err
	}
	page, more, err := token.Holdings(view, who, after, limit)
	if err != nil {
		return wire.Holdings{}, err
	}
	out := wire.Holdings{Height: height, Address: who.String(), PermitNonce: nonce, Tokens: []wire.Holding{}}
	for _, h := range page {
		t, err := token.Load(view, h.Token)
		if err != nil {
			return out, err
		}
		frozen, err := token.Frozen(view, h.Token, who)
		if err != nil {
			return out, err
		}
		out.Tokens = append(out.Tokens, wire.Holding{Token: wire.FromToken(h.Token, t), Balance: h.Amount.String(), Frozen: frozen})
		if more {
			out.NextCursor = h.Token.String()
		}
	}
	return out, nil
}
