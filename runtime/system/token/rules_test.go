package token_test

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// rule is a line of the text and a transaction that shows it.
type rule struct {
	section, says string
	by            *testkit.Account
	in            tx.Instruction
	fault         uint16
	supply        int64  // what it adds to the supply of its token
	topics        string // of the events, where the rule is about them
}

// house is a chain with a token of each sort: ann has 1,000 of each, and has let bob spend 50; cid has 10 of the plain one and is frozen for it; signer is an
// account whose key signs permits.
type house struct {
	*world
	cid, eve                                 *testkit.Account
	key                                      *sig.PrivateKey
	plain, hooked, deaf, asleep, full, other token.ID
	sleeper                                  account.Address
}

var ten30 = unit.Uint128{Hi: params.TokenMaxSupply >> 64, Lo: params.TokenMaxSupply & (1<<64 - 1)}

func newHouse(t *testing.T) *house {
	w := newWorld(t)
	h := &house{world: w, cid: w.chain.Account("cid"), eve: w.chain.Account("eve"), hooked: w.id}
	key, err := sig.ParsePrivateKey(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		t.Fatal(err)
	}
	h.key = key
	config := params.Genesis().Rent
	config.EpochBlocks = 20
	h.must(w.chain.Impersonate(genesis.DevFaucet().Address()), &tx.UpdateRentConfig{Config: config})
	h.sleeper = w.ann.Deploy(source+"\n# another\n", []byte{})
	w.ann.Call(h.sleeper, "plan", "x "+strings.Repeat("y", 20_000))

	most, nearly := unit.Wide(1_015), ten30
	nearly.Lo--
	h.plain = h.make("HAY", 1_000, &most, nil)
	h.other = h.make("OAT", 1_000, nil, nil)
	h.deaf = h.make("RYE", 1_000, nil, &account.Address{7})
	h.asleep = h.make("NAP", 1_000, nil, &h.sleeper)
	h.full = h.token(&tx.TokenCreate{Name: []byte("n"), Symbol: []byte("ALL"), InitialSupply: nearly})
	for _, id := range []token.ID{h.plain, h.hooked, h.deaf, h.asleep} {
		h.must(w.ann, &tx.TokenApprove{TokenID: id, Spender: w.bob.Address(), Amount: unit.Wide(50)})
	}
	h.must(w.ann, &tx.TokenTransfer{TokenID: h.asleep, To: w.bob.Address(), Amount: unit.Wide(1)})
	h.must(w.ann, &tx.TokenTransfer{TokenID: h.plain, To: h.cid.Address(), Amount: unit.Wide(10)})
	h.must(h.cid, &tx.TokenApprove{TokenID: h.plain, Spender: w.bob.Address(), Amount: unit.Wide(50)})
	h.must(w.ann, &tx.TokenFreeze{TokenID: h.plain, Account: h.cid.Address()})
	for n := 0; !w.chain.Record(h.sleeper).Dormant; n++ {
		if w.chain.Mine(); n > 400 {
			t.Fatal("the actor does not fall asleep")
		}
	}
	return h
}

func (h *house) must(by *testkit.Account, in tx.Instruction) []byte {
	h.Helper()
	r := by.Do(in, limitCycles, limitCells)
	if r.Status != block.Success {
		h.Fatal(testkit.Describe(r))
	}
	return r.ReturnData
}

func (h *house) token(in *tx.TokenCreate) token.ID {
	h.Helper()
	return token.ID(h.must(h.ann, in))
}

func (h *house) make(symbol string, supply uint64, most *unit.Uint128, hook *account.Address) token.ID {
	h.Helper()
	return h.token(&tx.TokenCreate{Name: []byte("n"), Symbol: []byte(symbol), InitialSupply: unit.Wide(supply), MaxSupply: most, TransferHook: hook})
}

// books are everything the registry keeps, as text, and what exists of each token. The balances of each token must add up to its supply.
func (h *house) books() (entries string, supply map[token.ID]*big.Int) {
	h.Helper()
	var b strings.Builder
	held, supply := map[token.ID]*big.Int{}, map[token.ID]*big.Int{}
	for _, c := range token.Claims() {
		prefix := account.KeyString(c.Kind, c.Address, c.Suffix)
		if err := h.chain.State().Scan(prefix, nil, 0, func(key, value []byte) bool {
			fmt.Fprintf(&b, "%x=%x\n", key, value)
			switch rest := key[len(prefix):]; c.Suffix {
			case "tokens/mints/":
				x, err := token.Load(h.chain.State(), token.ID(rest))
				if err != nil || x == nil {
					h.Fatal(x, err)
				}
				supply[token.ID(rest)] = x.Supply.Int()
			case "tokens/balances/": // owner(20) ‖ "/" ‖ token(32)
				id := token.ID(rest[21:])
				if held[id] == nil {
					held[id] = new(big.Int)
				}
				held[id].Add(held[id], new(big.Int).SetBytes(value))
			}
			return true
		}); err != nil {
			h.Fatal(err)
		}
	}
	for id, n := range supply {
		if held[id] == nil {
			held[id] = new(big.Int)
		}
		if held[id].Cmp(n) != 0 {
			h.Errorf("balances of %v add up to %v, and its supply is %v", id, held[id], n)
		}
	}
	return b.String(), supply
}

// check runs the rules, each on the house as it is: a fault has the code, no event, and changes nothing of what the registry keeps; otherwise the supply of one
// token is what the rule says, and of no other changes.
func (h *house) check(t *testing.T, rules []rule) {
	mark := h.chain.Snapshot()
	for _, x := range rules {
		t.Run(x.section+" "+x.says, func(t *testing.T) {
			h.chain.Revert(mark)
			h.world.T = t
			before, had := h.books()
			r := x.by.Do(x.in, limitCycles, limitCells)
			after, has := h.books()
			if x.fault != 0 {
				if r.Status != block.Faulted || r.Fault.Code != x.fault || len(r.Events) != 0 || after != before {
					t.Errorf("%s, events %q, changed %v; want E%d", testkit.Describe(r), topics(r), after != before, x.fault)
				}
				return
			}
			if r.Status != block.Success || x.topics != "" && topics(r) != x.topics {
				t.Fatalf("%s, events %q", testkit.Describe(r), topics(r))
			}
			change := new(big.Int)
			for id, n := range has {
				if had[id] != nil {
					change.Add(change, new(big.Int).Sub(n, had[id]))
				}
			}
			if change.Cmp(big.NewInt(x.supply)) != 0 {
				t.Errorf("the supply changes by %v, want %d", change, x.supply)
			}
		})
	}
	h.chain.Revert(mark)
}

// Every MUST about creating, moving, minting, burning and freezing, as transactions on a chain.
//
// Spec: tokens §2, §4, §5, §12.
func TestRules(t *testing.T) {
	h := newHouse(t)
	ann, bob, cid, eve := h.ann, h.bob, h.cid, h.eve
	a, b, c, e := ann.Address(), bob.Address(), cid.Address(), eve.Address()
	n, all := unit.Wide, unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 1}
	above := ten30
	above.Lo++
	create := func(change func(x *tx.TokenCreate)) tx.Instruction {
		x := &tx.TokenCreate{Name: []byte("n"), Symbol: []byte("S")}
		change(x)
		return x
	}
	send := func(id token.ID, to account.Address, amount uint64) tx.Instruction {
		return &tx.TokenTransfer{TokenID: id, To: to, Amount: n(amount)}
	}
	from := func(id token.ID, owner, to account.Address, amount uint64) tx.Instruction {
		return &tx.TokenTransferFrom{TokenID: id, Owner: owner, To: to, Amount: n(amount)}
	}
	mint := func(id token.ID, to account.Address, amount uint64) tx.Instruction {
		return &tx.TokenMint{TokenID: id, To: to, Amount: n(amount)}
	}
	const moved, approved = token.TopicTransfer, token.TopicApproval
	h.check(t, []rule{
		{"§2", "a supply of 10^30", ann, create(func(x *tx.TokenCreate) { x.InitialSupply = ten30 }), 0, 0, token.TopicCreated},
		{"§2", "a supply of 10^30+1", ann, create(func(x *tx.TokenCreate) { x.InitialSupply = above }), chapter.FaultSupply, 0, ""},
		{"§2", "a maximum of 10^30+1", ann, create(func(x *tx.TokenCreate) { x.MaxSupply = &above }), chapter.FaultTerms, 0, ""},
		{"§2", "19 decimals", ann, create(func(x *tx.TokenCreate) { x.Decimals = 19 }), chapter.FaultTerms, 0, ""},
		{"§2", "a token without a name", ann, create(func(x *tx.TokenCreate) { x.Name = nil }), chapter.FaultTerms, 0, ""},
		{"§2", "to 10^30 exactly", ann, mint(h.full, b, 1), 0, 1, token.TopicMinted},
		{"§2", "beyond 10^30 by one", ann, mint(h.full, b, 2), chapter.FaultSupply, 0, ""},
		{"§2", "a mint of 2^128-1", ann, &tx.TokenMint{TokenID: h.full, To: b, Amount: all}, chapter.FaultSupply, 0, ""},
		{"§2", "to the maximum", ann, mint(h.plain, b, 15), 0, 15, token.TopicMinted},
		{"§2", "beyond the maximum by one", ann, mint(h.plain, b, 16), chapter.FaultSupply, 0, ""},

		{"§5 transfer 1", "all there is", ann, send(h.plain, b, 990), 0, 0, moved},
		{"§5 transfer 1", "one more than there is", ann, send(h.plain, b, 991), chapter.FaultBalance, 0, ""},
		{"§5 transfer 1", "by who has none", eve, send(h.plain, b, 1), chapter.FaultBalance, 0, ""},
		{"§5 transfer 1", "the balance comes before frozen", cid, send(h.plain, b, 11), chapter.FaultBalance, 0, ""},
		{"§5 transfer 2", "a frozen sender", cid, send(h.plain, b, 10), chapter.FaultFrozen, 0, ""},
		{"§5 transfer 3", "a frozen receiver", ann, send(h.plain, c, 1), chapter.FaultFrozen, 0, ""},
		{"§5 transfer 2", "frozen for one token alone", ann, send(h.other, c, 1), 0, 0, moved},
		{"§5 edges", "nothing", eve, send(h.plain, b, 0), 0, 0, moved},
		{"§5 edges", "nothing, by who is frozen", cid, send(h.plain, b, 0), chapter.FaultFrozen, 0, ""},
		{"§5 edges", "to oneself", ann, send(h.plain, a, 990), 0, 0, moved},
		{"§5 edges", "to oneself more than there is", ann, send(h.plain, a, 991), chapter.FaultBalance, 0, ""},
		{"§5 edges", "to the zero address", ann, send(h.plain, account.Address{}, 1), chapter.FaultZero, 0, ""},
		{"§7", "a token nobody made", ann, send(token.ID{1}, b, 0), chapter.FaultUnknown, 0, ""},

		{"§5 transfer_from", "an allowance, all of it", bob, from(h.plain, a, e, 50), 0, 0, moved},
		{"§5 transfer_from", "one more", bob, from(h.plain, a, e, 51), chapter.FaultAllowance, 0, ""},
		{"§5 transfer_from", "the allowance comes before the balance", bob, from(h.plain, c, e, 51), chapter.FaultAllowance, 0, ""},
		{"§5 transfer_from", "then the balance", bob, from(h.plain, c, e, 11), chapter.FaultBalance, 0, ""},
		{"§5 transfer_from", "then frozen", bob, from(h.plain, c, e, 10), chapter.FaultFrozen, 0, ""},
		{"§5 transfer_from", "a spender who is frozen moves another's", cid, from(h.plain, a, e, 0), 0, 0, moved},
		{"§5 transfer_from", "nobody spends one's own so", ann, from(h.plain, a, e, 1), chapter.FaultAllowance, 0, ""},
		{"§5 transfer_from", "a hook against, and the allowance stays", bob, from(h.deaf, a, e, 50), chapter.FaultRejected, 0, ""},

		{"§4 (21)", "an allowance to 2^128-1", ann,
			&tx.TokenIncreaseAllowance{TokenID: h.plain, Spender: b, Amount: unit.Uint128{Hi: all.Hi, Lo: all.Lo - 50}}, 0, 0, approved},
		{"§4 (21)", "one more than 128 bits", ann,
			&tx.TokenIncreaseAllowance{TokenID: h.plain, Spender: b, Amount: unit.Uint128{Hi: all.Hi, Lo: all.Lo - 49}}, chapter.FaultAllowance, 0, ""},
		{"§4 (22)", "to nothing", ann, &tx.TokenDecreaseAllowance{TokenID: h.plain, Spender: b, Amount: n(50)}, 0, 0, approved},
		{"§4 (22)", "below nothing", ann, &tx.TokenDecreaseAllowance{TokenID: h.plain, Spender: b, Amount: n(51)}, chapter.FaultAllowance, 0, ""},
		{"§4 (22)", "of who was allowed nothing", ann, &tx.TokenDecreaseAllowance{TokenID: h.plain, Spender: e, Amount: n(1)}, chapter.FaultAllowance, 0, ""},

		{"§5 mint", "by who has no authority", bob, mint(h.plain, b, 1), chapter.FaultAuthority, 0, ""},
		{"§5 mint", "to who is frozen", ann, mint(h.plain, c, 1), chapter.FaultFrozen, 0, ""},
		{"§5 mint", "to the zero address", ann, mint(h.plain, account.Address{}, 1), chapter.FaultZero, 0, ""},
		{"§5 mint", "asks no hook", ann, mint(h.deaf, b, 1), 0, 1, token.TopicMinted},
		{"§5 burn", "all there is", ann, &tx.TokenBurn{TokenID: h.plain, Amount: n(990)}, 0, -990, token.TopicBurned},
		{"§5 burn", "one more", ann, &tx.TokenBurn{TokenID: h.plain, Amount: n(991)}, chapter.FaultBalance, 0, ""},
		{"§5 burn", "by who is frozen", cid, &tx.TokenBurn{TokenID: h.plain, Amount: n(1)}, chapter.FaultFrozen, 0, ""},
		{"§5 burn", "asks no hook", ann, &tx.TokenBurn{TokenID: h.deaf, Amount: n(1)}, 0, -1, token.TopicBurned},

		{"§3", "freezing by a stranger", bob, &tx.TokenFreeze{TokenID: h.plain, Account: a}, chapter.FaultAuthority, 0, ""},
		{"§3", "thawing by who is frozen", cid, &tx.TokenUnfreeze{TokenID: h.plain, Account: c}, chapter.FaultAuthority, 0, ""},
		{"§3", "freezing again", ann, &tx.TokenFreeze{TokenID: h.plain, Account: c}, 0, 0, token.TopicFrozen},
		{"§3", "the owner freezes himself", ann, &tx.TokenFreeze{TokenID: h.plain, Account: a}, 0, 0, token.TopicFrozen},
		{"§3", "a hook by a stranger", bob, &tx.TokenSetHook{TokenID: h.plain}, chapter.FaultAuthority, 0, ""},
		{"§3", "handed on by a stranger", bob, &tx.TokenTransferOwnership{TokenID: h.plain, NewOwner: b}, chapter.FaultAuthority, 0, ""},
		{"§3", "handed to the zero address", ann, &tx.TokenTransferOwnership{TokenID: h.plain}, chapter.FaultZero, 0, ""},
	})
}

// Every MUST about batches: all legs or none, at most 256, no token with a hook.
//
// Spec: tokens §4 (20), §5 (batch), §12.
func TestBatchRules(t *testing.T) {
	h := newHouse(t)
	b, c := h.bob.Address(), h.cid.Address()
	leg := func(id token.ID, to account.Address, amount uint64) tx.TokenLeg {
		return tx.TokenLeg{TokenID: id, To: to, Amount: unit.Wide(amount)}
	}
	batch := func(legs ...tx.TokenLeg) tx.Instruction { return &tx.TokenTransferBatch{Transfers: legs} }
	many := func(count int, last tx.TokenLeg) tx.Instruction {
		legs := make([]tx.TokenLeg, count)
		for i := range legs {
			legs[i] = leg(h.plain, b, 1)
		}
		legs[count-1] = last
		return batch(legs...)
	}
	h.check(t, []rule{
		{"§5 batch", "no leg", h.ann, batch(), 0, 0, ""},
		{"§5 batch", "several tokens, all of one", h.ann, batch(leg(h.plain, b, 600), leg(h.other, c, 1), leg(h.plain, b, 390)), 0, 0,
			strings.TrimSpace(strings.Repeat(token.TopicTransfer+" ", 3))},
		{"§5 batch", "together one more than there is", h.ann, batch(leg(h.plain, b, 600), leg(h.other, c, 1), leg(h.plain, b, 391)),
			chapter.FaultBalance, 0, ""},
		{"§5 batch", "256 legs", h.ann, many(256, leg(h.plain, b, 735)), 0, 0, ""}, // 255 of one and 735 are the 990 there are
		{"§5 batch", "256 legs, the last one too large", h.ann, many(256, leg(h.plain, b, 736)), chapter.FaultBalance, 0, ""},
		{"§5 batch", "256 legs, the last one of a token with a hook", h.ann, many(256, leg(h.hooked, b, 0)), chapter.FaultBatch, 0, ""},
		{"§5 batch", "a receiver who is frozen", h.ann, batch(leg(h.plain, b, 1), leg(h.plain, c, 1)), chapter.FaultFrozen, 0, ""},
		{"§5 batch", "a sender who is frozen", h.cid, batch(leg(h.plain, b, 1)), chapter.FaultFrozen, 0, ""},
		{"§5 batch", "the zero address", h.ann, batch(leg(h.plain, b, 1), leg(h.plain, account.Address{}, 1)), chapter.FaultZero, 0, ""},
		{"§5 batch", "a token nobody made", h.ann, batch(leg(h.plain, b, 1), leg(token.ID{1}, b, 0)), chapter.FaultUnknown, 0, ""},
		{"§5 batch", "nothing of a token with a hook, by who has none", h.eve, batch(leg(h.deaf, b, 0)), chapter.FaultBatch, 0, ""},
	})
}

// Every MUST about permits: once, on this chain, by the owner, to the deadline.
//
// Spec: tokens §4 (23), §7 (E1413 to E1415), §12.
func TestPermitRules(t *testing.T) {
	h := newHouse(t)
	owner, b := h.key.Address(), h.bob.Address()
	h.must(h.ann, &tx.TokenTransfer{TokenID: h.plain, To: owner, Amount: unit.Wide(5)})
	chain := uint64(testkit.ChainID)
	permit := func(chainID uint64, key *sig.PrivateKey, change func(p *token.Permit)) *tx.TokenPermit {
		p := token.Permit{Token: h.plain, Owner: owner, Spender: b, Value: unit.Wide(7), Deadline: h.chain.Height() + 1}
		change(&p)
		return &tx.TokenPermit{
			TokenID: p.Token, Owner: p.Owner, Spender: p.Spender, Value: p.Value, Deadline: p.Deadline, Nonce: p.Nonce,
			Signature: key.Sign(p.Digest(chainID)),
		}
	}
	stranger, err := sig.ParsePrivateKey(bytes.Repeat([]byte{8}, 32))
	if err != nil {
		t.Fatal(err)
	}
	used := permit(chain, h.key, func(p *token.Permit) { p.Deadline += 100 })
	h.must(h.eve, used)
	next := func(change func(p *token.Permit)) *tx.TokenPermit {
		return permit(chain, h.key, func(p *token.Permit) { p.Nonce = 1; change(p) })
	}
	same := func(*token.Permit) {}
	altered := func(change func(x *tx.TokenPermit)) *tx.TokenPermit {
		x := next(same)
		change(x)
		return x
	}
	const good, late, forged, again = 0, chapter.FaultExpired, chapter.FaultSignature, chapter.FaultNonce
	h.check(t, []rule{
		{"§4 permit", "in the block of its deadline", h.eve, next(same), good, 0, token.TopicApproval},
		{"§4 permit", "in the block before", h.eve, next(func(p *token.Permit) { p.Deadline++ }), good, 0, token.TopicApproval},
		{"§4 permit", "in the block after", h.eve, next(func(p *token.Permit) { p.Deadline-- }), late, 0, ""},
		{"§4 permit", "with the largest deadline", h.eve, next(func(p *token.Permit) { p.Deadline = 1<<64 - 1 }), good, 0, token.TopicApproval},
		{"§4 permit", "replayed", h.eve, used, again, 0, ""},
		{"§4 permit", "signed anew with a used nonce", h.eve, permit(chain, h.key, same), again, 0, ""},
		{"§4 permit", "a nonce ahead", h.eve, next(func(p *token.Permit) { p.Nonce = 2 }), again, 0, ""},
		{"§4 permit", "of another chain", h.eve, permit(chain+1, h.key, func(p *token.Permit) { p.Nonce = 1 }), forged, 0, ""},
		{"§4 permit", "by another than the owner", h.eve, permit(chain, stranger, func(p *token.Permit) { p.Nonce = 1 }), forged, 0, ""},
		{"§4 permit", "by the spender for himself", h.bob, altered(func(x *tx.TokenPermit) { x.Signature = sig.Signature{} }), forged, 0, ""},
		{"§4 permit", "with one unit more", h.eve, altered(func(x *tx.TokenPermit) { x.Value = unit.Wide(8) }), forged, 0, ""},
		{"§4 permit", "with a block more", h.eve, altered(func(x *tx.TokenPermit) { x.Deadline++ }), forged, 0, ""},
		{"§4 permit", "for another spender", h.eve, altered(func(x *tx.TokenPermit) { x.Spender = h.eve.Address() }), forged, 0, ""},
		{"§4 permit", "of another token", h.eve, altered(func(x *tx.TokenPermit) { x.TokenID = h.other }), forged, 0, ""},
		{"§4 permit", "of a token nobody made", h.eve, next(func(p *token.Permit) { p.Token = token.ID{1} }), chapter.FaultUnknown, 0, ""},
	})
}

// Every MUST about hooks that need no plan of their own: missing, dormant, and what asks none. What a hook does when it runs is in the tests of hooks.
//
// Spec: tokens §6, §12; rent §8.
func TestHookRules(t *testing.T) {
	h := newHouse(t)
	a, b := h.ann.Address(), h.bob.Address()
	h.check(t, []rule{
		{"§6", "a hook that is missing", h.ann, &tx.TokenTransfer{TokenID: h.deaf, To: b, Amount: unit.Wide(1)}, chapter.FaultRejected, 0, ""},
		{"§6", "a hook that is dormant", h.ann, &tx.TokenTransfer{TokenID: h.asleep, To: b, Amount: unit.Wide(1)}, chapter.FaultRejected, 0, ""},
		{"§6", "nothing, and a hook that is dormant", h.ann, &tx.TokenTransfer{TokenID: h.asleep, To: b}, chapter.FaultRejected, 0, ""},
		{"§6", "an allowance, and a hook that is dormant", h.bob, &tx.TokenTransferFrom{TokenID: h.asleep, Owner: a, To: b, Amount: unit.Wide(50)},
			chapter.FaultRejected, 0, ""},
		{"§5 burn", "of a token whose hook is dormant", h.bob, &tx.TokenBurn{TokenID: h.asleep, Amount: unit.Wide(1)}, 0, -1, token.TopicBurned},
		{"§3", "the owner takes the dormant hook away", h.ann, &tx.TokenSetHook{TokenID: h.asleep}, 0, 0, token.TopicHook},
	})
	h.must(h.ann, &tx.TokenSetHook{TokenID: h.asleep})
	h.must(h.ann, &tx.TokenTransfer{TokenID: h.asleep, To: b, Amount: unit.Wide(1)})
}

// Two tokens with one hook, which moves the other token from within: that one's hook is asked in turn, and may not change the first. A hook that loops there
// has what is left of the budget of the one that moved it, so it is the outer one that runs out: before the transfer that refuses, in on_transfer it is undone.
//
// Spec: tokens §6 (budget, recursion), §12.
func TestHooksWithinHooks(t *testing.T) {
	h := newHouse(t)
	inner := h.create("INN", &h.hook)
	h.must(h.ann, &tx.TokenTransfer{TokenID: inner, To: h.hook, Amount: unit.Wide(5)})
	through := func(can, on string) *block.Receipt {
		h.Helper()
		h.plan(can, on)
		r := h.transfer(10)
		h.books()
		return r
	}
	// The hook moves INN, whose hook is itself: it moves INN again, which is refused there, and nobody catches it. Before the transfer of INN that rejects it,
	// and with it the outer one; after it, INN's on_transfer alone has failed, and both transfers stand.
	if r := through("other "+inner.Hex(), "yes"); r.Status != block.Faulted || r.Fault.Code != chapter.FaultRejected {
		t.Errorf("before: %s", testkit.Describe(r))
	}
	after := through("yes", "other "+inner.Hex())
	if after.Status != block.Success || topics(after) != token.TopicHookFailed+" "+token.TopicTransfer+" "+token.TopicTransfer {
		t.Fatalf("after: %s, %s", testkit.Describe(after), topics(after))
	}
	if got := string(after.Events[0].Data); got != string(token.HookFailed(inner, h.hook, chapter.FaultBusy)) {
		t.Errorf("%x", got)
	}
	looping := h.ann.Deploy(source+"\n# loops\n", []byte{})
	h.ann.Call(looping, "plan", "can loop")
	h.must(h.ann, &tx.TokenSetHook{TokenID: inner, TransferHook: &looping})
	if r := through("other "+inner.Hex(), "yes"); r.Status != block.Faulted || r.Fault.Code != chapter.FaultHookCycles || r.CyclesUsed != 22_000+50_000 {
		t.Errorf("looping, before: %s", testkit.Describe(r))
	}
	r := through("yes", "other "+inner.Hex())
	if r.Status != block.Success || topics(r) != token.TopicHookFailed+" "+token.TopicTransfer {
		t.Fatalf("looping, after: %s, %s", testkit.Describe(r), topics(r))
	}
	if got := string(r.Events[0].Data); got != string(token.HookFailed(h.id, h.hook, drain.FaultCycles)) {
		t.Errorf("%x", got)
	}
}
