package explorer

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/token"
)

// tokens lists all tokens, by identifier.
//
// Spec: tokens §2; node-rpc-cli §2.6.
func (s *site) tokens(r *http.Request) (view, error) {
	var after *token.ID
	if text := r.URL.Query().Get("cursor"); text != "" {
		id, err := parseHash(text)
		if err != nil {
			return view{}, err
		}
		after = &id
	}
	list, err := s.source.Tokens(after, pageRows)
	if err != nil {
		return view{}, err
	}
	return view{Page: "tokens", Title: "Tokens", Active: "tokens", Live: after == nil, Data: list}, nil
}

// holderRow is a holder with its part of the supply.
type holderRow struct {
	wire.TokenHolder
	Amount string // in whole tokens
	Share  string // of the supply, in percent
	Bar    int    // the same in tenths, 0 to 10
}

// moveRow is a change of balances.
type moveRow struct {
	wire.TokenMove
	Amount string // in whole tokens
}

type tokenPage struct {
	wire.Token
	Supply, Most string // in whole tokens; Most is "" where there is no bound
	Holders      []holderRow
	HolderCount  uint64
	NextHolders  string
	Moves        []moveRow
	MoveCount    uint64
	NextMoves    string
	Later        bool   // it does not begin with the first holder or the newest change
	Lost         string // why holders and changes are not to be had
}

// tokenRows is how many holders and changes a token's page begins with.
const tokenRows = 20

// token shows what the registry keeps of a token, who has it, and how it moved.
//
// Spec: tokens §2.
func (s *site) token(r *http.Request) (view, error) {
	id, err := parseHash(r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	t, err := s.source.Token(id)
	if err != nil {
		return view{}, err
	}
	p := tokenPage{Token: t, Supply: whole(t.TotalSupply, t.Decimals)}
	if t.MaxSupply != nil {
		p.Most = whole(*t.MaxSupply, t.Decimals)
	}
	query := r.URL.Query()
	p.Later = query.Get("holders") != "" || query.Get("moves") != ""
	holders, err := s.source.TokenHolders(id, query.Get("holders"), tokenRows)
	if err == nil {
		var moves wire.TokenMoves
		moves, err = s.source.TokenMoves(id, query.Get("moves"), tokenRows)
		p.MoveCount, p.NextMoves = moves.TotalCount, moves.NextCursor
		for _, m := range moves.Transfers {
			p.Moves = append(p.Moves, moveRow{m, whole(m.Amount, t.Decimals)})
		}
	}
	switch {
	case absent(err):
		p.Lost = "this node's index does not hold them"
	case err != nil:
		return view{}, err
	}
	p.HolderCount, p.NextHolders = holders.TotalCount, holders.NextCursor
	for _, h := range holders.Holders {
		row := holderRow{TokenHolder: h, Amount: whole(h.Balance, t.Decimals)}
		row.Share, row.Bar = share(h.Balance, t.TotalSupply)
		p.Holders = append(p.Holders, row)
	}
	return view{Page: "token", Title: "Token " + phrase(t.Symbol), Active: "tokens", Live: !p.Later, Data: p}, nil
}

// whole writes an amount of smallest units in whole tokens, with its thousands apart; what is no number stays as it is.
func whole(units string, decimals uint8) string {
	if strings.Trim(units, "0123456789") != "" || units == "" {
		return units
	}
	n := int(min(decimals, 64))
	if len(units) <= n {
		units = strings.Repeat("0", n-len(units)+1) + units
	}
	front, rest := units[:len(units)-n], strings.TrimRight(units[len(units)-n:], "0")
	var b strings.Builder
	for i, d := range front {
		if i > 0 && (len(front)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	if rest != "" {
		b.WriteString("." + rest)
	}
	return b.String()
}

// share gives a part of a whole in percent, and in tenths.
func share(part, of string) (text string, tenths int) {
	p, ok := new(big.Int).SetString(part, 10)
	q, is := new(big.Int).SetString(of, 10)
	if !ok || !is || q.Sign() <= 0 || p.Sign() < 0 {
		return "", 0
	}
	hundredths := new(big.Int).Div(new(big.Int).Mul(p, big.NewInt(10_000)), q).Int64()
	if hundredths == 0 && p.Sign() > 0 {
		return "< 0.01 %", 0
	}
	return fmt.Sprintf("%d.%02d %%", hundredths/100, hundredths%100), int(min(hundredths/1_000, 10))
}
