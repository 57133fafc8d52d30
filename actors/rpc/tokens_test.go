package rpc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Pages of all tokens and of an account's follow one another and end; what a token does not have is null, and quantities are text.
//
// Spec: tokens §2, §9; node-rpc-cli §2.6.
func TestTokenPages(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	g := &token.Registry{State: o, Height: 3, Emit: func(string, []byte) {}}
	ann, bob := account.Address{1}, account.Address{2}
	for i := range 5 {
		id, err := g.Create(ann, uint64(i), token.Terms{Name: []byte("n"), Symbol: []byte(fmt.Sprint("S", i)), Supply: unit.Uint128{Hi: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			if err := g.Transfer(ann, id, bob, unit.Wide(7)); err != nil {
				t.Fatal(err)
			}
		}
	}
	symbols := map[string]bool{}
	var after *token.ID
	for pages := 1; ; pages++ {
		page, err := tokensIn(o, 9, after, 2)
		if err != nil || page.Height != 9 || len(page.Tokens) > 2 {
			t.Fatal(page, err)
		}
		for _, x := range page.Tokens {
			symbols[x.Symbol] = true
		}
		if page.NextCursor == "" {
			if pages != 3 || len(symbols) != 5 {
				t.Errorf("%d tokens in %d pages", len(symbols), pages)
			}
			break
		}
		after = new(token.ID)
		if err := after.UnmarshalText([]byte(page.NextCursor)); err != nil {
			t.Fatal(err)
		}
	}
	first, err := holdingsIn(o, 9, bob, nil, 3)
	if err != nil || len(first.Tokens) != 3 || first.NextCursor != first.Tokens[2].Token.TokenID || first.Tokens[0].Balance != "7" {
		t.Fatal(first, err)
	}
	if err := after.UnmarshalText([]byte(first.NextCursor)); err != nil {
		t.Fatal(err)
	}
	if err := g.Freeze(ann, token.ID(*after), bob, true); err != nil {
		t.Fatal(err)
	}
	if again, err := holdingsIn(o, 9, bob, nil, 3); err != nil || !again.Tokens[2].Frozen || again.Tokens[1].Frozen {
		t.Error(again, err)
	}
	rest, err := holdingsIn(o, 9, bob, after, 3)
	if err != nil || len(rest.Tokens) != 1 || rest.NextCursor != "" {
		t.Error(rest, err)
	}
	raw, err := json.Marshal(rest.Tokens[0].Token)
	if err != nil || !strings.Contains(string(raw), `"total_supply":"18446744073709551616","max_supply":null`) ||
		!strings.Contains(string(raw), `"transfer_hook":null,"metadata_uri":null,"created_at":3`) {
		t.Errorf("%s, %v", raw, err)
	}
	if none, err := holdingsIn(o, 9, account.Address{9}, nil, 3); err != nil || none.Tokens == nil || len(none.Tokens) != 0 {
		t.Error(none, err)
	}
}
