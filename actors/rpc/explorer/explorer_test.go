package explorer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const hostile = `<script>alert("x")</script>`

type missing struct{}

func (missing) Error() string   { return "not found" }
func (missing) HTTPStatus() int { return http.StatusNotFound }

// fake is a chain of top blocks with one actor, whose every text is hostile.
type fake struct {
	Source
	top    uint64
	low    uint64 // blocks below are not held
	broken bool
	reads  int
}

var (
	actorAddress = account.Address{0xac}
	txHash       = digest.Hash{0xaa}
)

func (f *fake) Health() wire.Health {
	return wire.Health{ChainID: 7, BlockHeight: f.top, Version: "9.9"}
}
func (f *fake) Ready() wire.Ready   { return wire.Ready{Ready: true} }
func (f *fake) Height() wire.Height { return wire.Height{Height: f.top, Committed: f.top} }
func (f *fake) Basefee() wire.Basefee {
	return wire.Basefee{CycleBasefee: 1, CellBasefee: 2, Lanes: map[string]wire.LaneFee{"user": {CycleBudget: 3, MultiplierPPM: 1_500_000}}}
}
func (f *fake) Tree() supervision.Status {
	return supervision.Status{Name: "node", State: "running", Children: []supervision.Status{{Name: "ledger", State: "backoff",
		Inbox: &supervision.InboxStatus{Depth: 3, Capacity: 64}, Last: &supervision.Report{Reason: hostile}}}}
}
func (f *fake) BlockAt(h uint64) (wire.Block, error) {
	f.reads++
	if f.broken {
		return wire.Block{}, errors.New("the disk is gone")
	}
	if h > f.top || h < f.low {
		return wire.Block{}, missing{}
	}
	return wire.Block{Height: h, Hash: wire.Hash(digest.Hash{byte(h)}), Proposer: account.System(1).String(), CycleBasefee: h}, nil
}
func (f *fake) BlockByHash(h digest.Hash) (wire.Block, error) {
	if h == (digest.Hash{3}) {
		return f.BlockAt(3)
	}
	return wire.Block{}, missing{}
}
func (f *fake) receipt() wire.Receipt {
	return wire.Receipt{
		TransactionHash: wire.Hash(txHash), Kind: "transaction", Sender: account.System(1).String(), Target: actorAddress.String(), Handler: hostile,
		Status: "fault", Value: 2_250_000_000, Error: &wire.Error{Slug: "E1210", Why: hostile},
		Events: []wire.Event{{Actor: actorAddress.String(), Topic: hostile, Text: hostile}},
	}
}
func (f *fake) BlockReceipts(uint64) ([]wire.Receipt, error) {
	list := make([]wire.Receipt, 300)
	for i := range list {
		list[i] = f.receipt()
	}
	return list, nil
}
func (f *fake) Transaction(h digest.Hash) (wire.Transaction, error) {
	if h != txHash {
		return wire.Transaction{}, missing{}
	}
	return wire.Transaction{Hash: wire.Hash(h), From: account.System(1).String(), Instruction: map[string]any{"type": "Deploy", "code": hostile}}, nil
}
func (f *fake) Pending(digest.Hash) (wire.Transaction, error) { return wire.Transaction{}, missing{} }

// nobody counts for nobody.
func nobody(string) netip.Addr { return netip.Addr{} }

func (f *fake) Known(h digest.Hash) bool { return h == txHash }
func (f *fake) Trace(_ context.Context, _ netip.Addr, h digest.Hash) (wire.Trace, error) {
	if h != txHash {
		return wire.Trace{}, missing{}
	}
	return wire.Trace{State: wire.TraceFinal, Waiting: 2, Nodes: []wire.TraceNode{{Receipt: f.receipt(), Parent: -1, Traceback: hostile,
		Calls: []wire.TraceCall{
			{Parent: -1, Handler: hostile, Args: wire.TraceValue{Text: hostile}}, {Handler: hostile, Result: wire.TraceValue{Text: hostile}},
		}},
		{Receipt: f.receipt(), Parent: 0, Depth: 40}}, Pending: []wire.TraceAwaited{{Kind: wire.PendingItems, Count: 2}}}, nil
}
func (f *fake) AccountTransactions(account.Address, uint64, uint64) ([]wire.Transaction, uint64, error) {
	return []wire.Transaction{{Hash: wire.Hash(txHash), Instruction: map[string]any{"type": "Transfer"}}}, 1, nil
}
func (f *fake) Account(a account.Address) (wire.Account, error) {
	if a == actorAddress || a == account.System(1) {
		return wire.Account{Address: a.String(), Balance: 1_500_000_000}, nil
	}
	return wire.Account{}, missing{}
}
func (f *fake) Actor(a account.Address, _ []byte, _ uint64) (wire.Actor, error) {
	if a != actorAddress {
		return wire.Actor{}, missing{}
	}
	return wire.Actor{Address: a.String(), Entitlements: []wire.Entitlement{{ID: hostile, State: "removed", RemovedAt: 9}},
		Storage: map[string]string{"6b": "01", "00ff": "zz"}, NextCursor: "ab"}, nil
}
func (f *fake) Code(account.Address) (wire.Code, error) {
	return wire.Code{Code: "x = 1\n" + hostile}, nil
}
func (f *fake) Logs(account.Address, uint64, uint64) (wire.Logs, error) {
	return wire.Logs{Logs: []wire.Receipt{f.receipt(), {Kind: "timer", Success: true, CyclesUsed: 5}, {Kind: "timer", Success: true, CyclesUsed: 9}}}, nil
}
func (f *fake) Events(account.Address, string, uint64) (wire.Events, error) {
	return wire.Events{Events: f.receipt().Events}, nil
}
func (f *fake) ActorTimers(account.Address, uint64, uint64) (wire.Timers, error) {
	return wire.Timers{Timers: []wire.Timer{{Handler: hostile}}}, nil
}
func (f *fake) TimersAhead(offset, limit uint64) (wire.Timers, error) {
	return wire.Timers{Timers: make([]wire.Timer, limit), TotalCount: 2_000}, nil
}
func (f *fake) Runners() (wire.DevRunners, error) {
	if f.top == 0 {
		return wire.DevRunners{}, missing{}
	}
	r := wire.DevRunners{Scripts: []wire.DevRunner{{DevScope: wire.DevScope{Type: "llm"}, DevReply: wire.DevReply{Ending: "ok", Result: wire.JSON(hostile)},
		Jobs: 3}}}
	for range 2 * pageRows {
		r.Waiting = append(r.Waiting, wire.DevJob{Job: hostile, Type: hostile, Actor: actorAddress.String(), Args: wire.JSON(strings.Repeat("x", 1_000)),
			Origin: wire.Hash(txHash)})
	}
	r.Late = []wire.DevLateAnswer{{Job: "c", Actor: actorAddress.String(), Due: 77_777, Status: "ok", Result: wire.JSON(nil), Origin: wire.Hash(txHash)}}
	return r, nil
}
func (f *fake) Validators(account.Address, uint64) (wire.Validators, error) {
	rank, away := uint32(1), false
	return wire.Validators{
		Epoch: wire.Epoch{Number: 7, First: 25_200, Last: 28_799, Midpoint: 27_000, Members: 4, Quorum: 3,
			Ceremony: &wire.Ceremony{Epoch: 8, Logs: 2, Dealers: 4, Required: 3}},
		Validators: []wire.Validator{
			{Address: actorAddress.String(), Status: "active", Stake: 60_000_000_000_000, Rank: &rank, Listed: true, Part: &wire.Participation{
				Missed: 251, Counted: 980, Most: 500, Lately: 31, Recent: 64, Last: 77_001, Leads: true, Connected: &away,
			}},
			{Address: account.System(1).String(), Status: "jailed", Stake: 99_000_000_000_000, JailedUntil: 112_000},
		},
	}, nil
}
func (f *fake) TokenHolders(_ token.ID, cursor string, _ int) (wire.TokenHolders, error) {
	if cursor == "gone" {
		return wire.TokenHolders{}, missing{}
	}
	return wire.TokenHolders{TotalCount: 1_234, NextCursor: "9.next", Holders: []wire.TokenHolder{
		{Address: actorAddress.String(), Balance: "85070591730234615865843651857942052864"}, {Address: account.System(1).String(), Balance: "12"},
	}}, nil
}
func (f *fake) TokenMoves(token.ID, string, int) (wire.TokenMoves, error) {
	who := actorAddress.String()
	minted := wire.TokenMove{Kind: "mint", To: &who, Amount: "5000", BlockHeight: 12, Receipt: wire.Hash(txHash)}
	return wire.TokenMoves{TotalCount: 7, NextCursor: "4.0.1", Transfers: []wire.TokenMove{minted}}, nil
}
func (f *fake) Turnout() (wire.Turnouts, error) {
	member := wire.MemberTurnout{Address: actorAddress.String(), Missed: 200, Counted: 800}
	return wire.Turnouts{Epochs: []wire.EpochTurnout{{Epoch: 6, Members: []wire.MemberTurnout{member}}}}, nil
}
func (f *fake) Rent(a account.Address) (wire.Rent, error) {
	if a != actorAddress {
		return wire.Rent{}, missing{}
	}
	return wire.Rent{State: "overdue", Debt: 1, Payoff: 3_000_000_000, Missed: 2, Survives: 8}, nil
}
func (f *fake) LineCosts(context.Context, netip.Addr, account.Address) (wire.LineCosts, error) {
	return wire.LineCosts{Runs: 3, Blocks: 2, Oldest: 4, Newest: 9, Cycles: 1_000, Source: 750, Others: 50,
		Lines: []wire.LineCost{{Line: 1, Cycles: 250}, {Line: 2, Cycles: 500}, {Line: 99, Cycles: 7}}}, nil
}
func hostileToken() wire.Token {
	who := actorAddress.String()
	uri := hostile
	return wire.Token{TokenID: wire.Hash(txHash), Name: hostile, Symbol: hostile, TotalSupply: "340282366920938463463374607431768211455", Owner: who,
		MintAuthority: who, TransferHook: &who, MetadataURI: &uri, CreatedAt: 7}
}
func (f *fake) Tokens(after *token.ID, limit int) (wire.Tokens, error) {
	if after != nil {
		return wire.Tokens{}, nil
	}
	return wire.Tokens{Tokens: []wire.Token{hostileToken()}, NextCursor: wire.Hash(txHash)}, nil
}
func (f *fake) Token(id token.ID) (wire.Token, error) {
	if id != txHash {
		return wire.Token{}, missing{}
	}
	return hostileToken(), nil
}
func (f *fake) AccountTokens(who account.Address, _ *token.ID, _ int) (wire.Holdings, error) {
	if who != account.System(6) {
		return wire.Holdings{}, nil
	}
	return wire.Holdings{Tokens: []wire.Holding{{Token: hostileToken(), Balance: "123456789", Frozen: true}}}, nil
}
func (f *fake) Proposals(before, limit uint64) (wire.Proposals, error) {
	return wire.Proposals{Proposals: []wire.Proposal{hostileProposal()}, NextCursor: "7"}, nil
}
func (f *fake) Proposal(id uint64) (wire.Proposal, error) {
	if id != 7 {
		return wire.Proposal{}, missing{}
	}
	return hostileProposal(), nil
}
func (f *fake) Codes() (wire.Codes, error) {
	return wire.Codes{Codes: []wire.CodeOf{{Address: account.System(0x13).String(), Code: "native edition 2", Since: 4_300}}}, nil
}

func (f *fake) Paused() (wire.Paused, error) {
	return wire.Paused{Paused: []wire.Pause{{Address: account.System(0x13).String(), Since: 4_321, Proposal: 7}}}, nil
}
func hostileProposal() wire.Proposal {
	return wire.Proposal{
		ID: 7, Kind: "TreasuryDisbursement", Payload: map[string]string{"memo": hostile}, Status: "Queued", Proposer: actorAddress.String(), Deadline: 98_765,
		ExecutableAt: 1, Vote: wire.Tally{Yes: 61_000_000_000_000, ValidatorYes: 3, Validators: 4},
	}
}
func (f *fake) Parameters() ([]wire.Parameter, error) {
	return []wire.Parameter{{Key: "system:x", Name: "X.Y", Value: "12"}}, nil
}
func (f *fake) ParameterHistory(key string, after, _ uint64) (wire.ParameterHistory, error) {
	h := wire.ParameterHistory{Key: key, ConfigVersion: 3}
	switch {
	case key != "system:x":
		return h, errUnknown
	case after < 3:
		h.Changes = []wire.ParameterChange{{Version: 3, Height: 98_765, By: actorAddress.String(), Tx: wire.Hash(txHash), Value: "aa",
			Parameters: []wire.Parameter{{Key: key, Name: "X.Y", Value: hostile}}}}
		h.NextCursor = "3"
	}
	return h, nil
}

func get(t *testing.T, h http.Handler, path string) (*http.Response, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Result(), string(body)
}

// TestPages draws every page over hostile data: the answer is whole, escaped and fetches nothing from elsewhere.
func TestPages(t *testing.T) {
	h := New(&fake{top: 200}, nobody)
	for _, c := range []struct {
		path   string
		status int
		want   string
	}{
		{"", 200, "1.50×"},
		{"blocks", 200, `href="/explorer/blocks?from=150"`},
		{"blocks?from=60", 200, `href="/explorer/blocks?from=110"`},
		{"blocks?from=99999999999", 200, "200"},
		{"blocks?from=x", 404, "a height is a decimal number"},
		{"block/3", 200, "The first 100 of 300"},
		{"block/" + wire.Hash(digest.Hash{3}), 200, `<a href="/explorer/block/4">Block 4</a>`},
		{"block/4", 200, `<td class="num">2.25</td>`},
		{"block/201", 404, "not found"},
		{"block/zz", 404, "a hash is 64 hexadecimal digits"},
		{"tx/" + wire.Hash(txHash), 200, "2 more of what it sent"},
		{"tx/" + wire.Hash(txHash), 200, "carried 2.25 CBY, returned"},
		{"tx/" + wire.Hash(digest.Hash{9}), 404, "not found"},
		{"tx/12", 404, "a hash is 64 hexadecimal digits"},
		{"account/" + actorAddress.String(), 200, "1.5 CBY"},
		{"account/" + account.System(1).String(), 200, "Transactions sent"},
		{"account/" + account.System(5).String(), 404, "nothing is known by that name"},
		{"account/0x12", 404, "an address is 40 hexadecimal digits"},
		{"account/" + actorAddress.String(), 200, "rent of this actor is overdue for 2 of the 8 epochs it survives. 3 CBY settle"},
		{"account/" + actorAddress.String() + "/cycles", 200,
			`<tr id="line-1" class="heat-4"><td class="num">1</td><td class="num">250</td><td class="num">25.0 %</td>`},
		{"account/" + actorAddress.String() + "/cycles", 200, `class="heat-9"><td class="num">2</td>`},
		{"account/" + actorAddress.String() + "/cycles", 200, `<a href="#line-2">2</a> <a href="#line-1">1</a>`},
		{"account/" + actorAddress.String() + "/cycles", 200, "arguments</dt><dd>200</dd>"},
		{"account/0x12/cycles", 404, "an address is 40 hexadecimal digits"},
		{"validators", 200, `<span class="bad">75.0 %</span>`},
		{"validators", 200, ">74.4 %<"},
		{"validators", 200, "<b>leads</b>"},
		{"validators", 200, "not connected"},
		{"validators", 200, "Fewer members voted lately than make a quorum"},
		{"timers", 200, `href="/explorer/timers?offset=50"`},
		{"tokens", 200, ">340282366920938463463374607431768211455<"},
		{"tokens", 200, `href="/explorer/tokens?cursor=` + wire.Hash(txHash)},
		{"tokens?cursor=" + wire.Hash(txHash), 200, "There is no token"},
		{"tokens?cursor=12", 404, "a hash is 64 hexadecimal digits"},
		{"token/" + wire.Hash(txHash), 200, "<dt>May freeze</dt><dd>nobody</dd>"},
		{"token/" + wire.Hash(digest.Hash{9}), 404, "not found"},
		{"token/" + wire.Hash(txHash), 200, "25.00 %"},
		{"token/" + wire.Hash(txHash), 200, "&lt; 0.01 %"},
		{"token/" + wire.Hash(txHash), 200, `<a href="?holders=9.next">`},
		{"token/" + wire.Hash(txHash), 200, `<td>made</td>`},
		{"token/" + wire.Hash(txHash), 200, `<td class="num">5` + "\u202f" + `000</td>`},
		{"token/" + wire.Hash(txHash) + "?holders=gone", 200, "index does not hold them"},
		{"account/" + account.System(6).String(), 200, ">123\u202f456\u202f789<"},
		{"proposals", 200, "98\u202f765"},
		{"proposals", 200, "permanent"},
		{"proposals?before=x", 200, "older"},
		{"proposal/7", 200, ">61000<"},
		{"proposal/7", 200, "TreasuryDisbursement"},
		{"proposal/8", 404, ""},
		{"proposal/x", 404, ""},
		{"validators", 200, "180 of 180"},
		{"validators", 200, "2 of 4 dealer logs, 3 needed"},
		{"validators", 200, ">99000<"},
		{"validators", 200, `<td class="num">251 of 980</td><td class="num">31 of 64</td>`},
		{"parameters", 200, `<a href="/explorer/parameters/system:x">system:x</a>`},
		{"parameters/system:x", 200, "98\u202f765"},
		{"parameters/system:x", 200, `<a href="?after=3">`},
		{"parameters/system:x?after=3", 200, "at genesis"},
		{"parameters/system:y", 404, ""},
		{"tree", 200, "backoff"},
		{"runners", 200, "<p>100; <code>cowboy dev runner answer CID"},
		{"runners", 200, "xxx…"},
		{"runners", 200, "77\u202f777"},
		{"actors", 200, "1 were deployed"},
		{"actors", 200, `href="/explorer/actors?cursor=7.0"`},
		{"actors?cursor=7.0", 200, "No actor was deployed yet"},
		{"activity", 200, "1 Jan 00:02"},
		{"activity?over=years", 404, "not found"},
		{"coins", 200, "at most 4 CBY in a step"},
		{"coins", 200, `V4.0H`}, // the highest step fills the chart
		{"coins?over=minutes", 200, "1 Jan 00:02"},
		{"coins?over=years", 404, "not found"},
		{"wall", 200, `<canvas id="river"`},
		{"account/" + actorAddress.String(), 200, "Its source has no function that a message may name"},
		{"account/" + actorAddress.String(), 200, "Messages out"},
		{"search?q=x(", 404, "no name, handler, topic, token or proposal has it"},
		{"search?q=Treasury", 200, `<a href="/explorer/proposal/7">7</a>`},
		{"search?q=%3Cscript", 200, "Topics of events"},
		{"search?q=%ff", 404, "search for a height"},
		{"nothing/here", 404, "there is no such page"},
		{"search?q=nobody", 404, "nothing is known by the name"},
		{"search?q=" + strings.Repeat("a", 5_000), 404, "…"},
	} {
		t.Run(c.path, func(t *testing.T) {
			holdsPage(t, h, c.path, c.status, c.want)
		})
	}
}

// TestPathsOfOtherExplorers: whoever types what other explorers have gets to the page, and never off the node.
func TestPathsOfOtherExplorers(t *testing.T) {
	h := New(&fake{}, nobody)
	for path, want := range map[string]string{
		"actor/0xab": "account/0xab", "address/0xab": "account/0xab", "transaction/0xcd": "tx/0xcd", "blocks/7": "block/7",
		"actor/%2F%2Fevil.example": "account/%2F%2Fevil.example", "actor/a%3Fb": "account/a%3Fb",
	} {
		t.Run(path, func(t *testing.T) {
			if r, _ := get(t, h, Path+path); r.StatusCode != http.StatusMovedPermanently || r.Header.Get("Location") != Path+want {
				t.Errorf("%d to %q, want %q", r.StatusCode, r.Header.Get("Location"), Path+want)
			}
		})
	}
}

// elsewhere is an address that leads off the node.
var elsewhere = regexp.MustCompile(`(?:src|href|action)="(?:https?:)?//`)

// holdsPage asks for a page and holds its answer: status, a text, and that it is whole, escaped and fetches nothing from elsewhere.
func holdsPage(t *testing.T, h http.Handler, path string, status int, want string) {
	t.Helper()
	r, body := get(t, h, Path+path)
	if r.StatusCode != status || !strings.Contains(body, want) {
		t.Errorf("%s: %d, want %d and %q in %.300s", path, r.StatusCode, status, want, body)
	}
	if strings.Contains(body, "<script>") || !strings.HasSuffix(strings.TrimSpace(body), "</html>") || elsewhere.MatchString(body) {
		t.Errorf("%s is not escaped, not whole or refers elsewhere", path)
	}
	if !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%s has no content policy", path)
	}
}

// TestSearch goes to a block, an account, a block by its hash and an execution.
func TestSearch(t *testing.T) {
	h := New(&fake{top: 5}, nobody)
	for q, want := range map[string]string{
		"4": "block/4", "+4": "", actorAddress.String(): "account/" + actorAddress.String(), wire.Hash(digest.Hash{3}): "block/" + wire.Hash(digest.Hash{3}),
		strings.TrimPrefix(wire.Hash(txHash), "0x"): "tx/" + wire.Hash(txHash), wire.Hash(digest.Hash{8}): "",
	} {
		t.Run(q, func(t *testing.T) {
			r, _ := get(t, h, Path+"search?q="+strings.ReplaceAll(q, "+", "%2B"))
			if got := strings.TrimPrefix(r.Header.Get("Location"), Path); got != want {
				t.Errorf("search for %s goes to %q, want %q", q, got, want)
			}
		})
	}
}

// TestNoRunners says so, and tells of no scripts where the network is no developer's. Spec: governance-staking B10.
func TestNoRunners(t *testing.T) {
	r, body := get(t, New(&fake{}, nobody), Path+"runners")
	if r.StatusCode != http.StatusOK || !strings.Contains(body, "No runner is registered") || strings.Contains(body, "Scripts") {
		t.Errorf("%d %s", r.StatusCode, body)
	}
}

// TestBrokenNode answers 500 when the node cannot read, not a page that says nothing was found.
func TestBrokenNode(t *testing.T) {
	r, body := get(t, New(&fake{top: 5, broken: true}, nobody), Path)
	if r.StatusCode != http.StatusInternalServerError || !strings.Contains(body, "the disk is gone") {
		t.Errorf("%d %s", r.StatusCode, body)
	}
}

// TestSummariesAreKept reads a final block once, and never keeps more than keptSummaries.
func TestSummariesAreKept(t *testing.T) {
	f := &fake{top: 3 * keptSummaries}
	h := New(f, nobody)
	get(t, h, Path)
	if f.reads != charted {
		t.Errorf("%d reads for the first page", f.reads)
	}
	get(t, h, Path)
	if f.reads != charted {
		t.Errorf("%d reads after the second page", f.reads)
	}
	s := &summaries{source: f, kept: map[uint64]summary{}}
	for i := range f.top {
		if _, err := s.at(i); err != nil {
			t.Fatal(err)
		}
		if len(s.kept) > keptSummaries {
			t.Fatalf("%d summaries kept", len(s.kept))
		}
	}
}
