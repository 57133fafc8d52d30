package lanes

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// TestScripts runs the scripts of testdata.
//
// Spec: WP §6.3, §6.4; node-rpc-cli §3.
func TestScripts(t *testing.T) {
	golden.Scripts(t, func(t *testing.T) func(string) string {
		p := newPool(t)
		return func(command string) string {
			var lines []string
			for _, line := range strings.Split(command, "\n") {
				lines = append(lines, p.run(line))
			}
			return strings.Join(lines, "\n")
		}
	})
}

// pool is a book and its lanes, driven by a script.
type pool struct {
	t      *testing.T
	book   *book
	lanes  [params.LaneCount]*queue
	nonces map[string]uint64
	funds  map[string]unit.Amount
	height unit.Height
}

func newPool(t *testing.T) *pool {
	p := &pool{t: t, book: newBook(DefaultLimits()), nonces: map[string]uint64{}, funds: map[string]unit.Amount{}}
	for l := range params.LaneCount {
		p.lanes[l] = newQueue()
	}
	return p
}

// named is a Recoverer of test signatures: the first 20 bytes are the signer.
type named struct{}

func (named) Recover(_ digest.Hash, s sig.Signature) (account.Address, error) {
	return account.Address(s[:20]), nil
}

func person(name string) (a account.Address) {
	copy(a[1:], name)
	a[0] = 0xaa
	return a
}

func nameOf(a account.Address) string { return strings.TrimRight(string(a[1:]), "\x00") }

func label(v tx.Verified) string { return fmt.Sprintf("%s/%d", nameOf(v.Tx().From), v.Tx().Nonce) }

func (p *pool) view() view {
	return view{
		params: params.Genesis(), rows: tx.All(), fees: params.GenesisBasefees(), height: p.height,
		account: func(a account.Address) (account.Account, error) {
			funds, ok := p.funds[nameOf(a)]
			if !ok {
				funds = 1_000_000 * unit.CBY
			}
			return account.Account{Nonce: p.nonces[nameOf(a)], Balance: funds}, nil
		},
	}
}

// options are the key=value words of a command.
func (p *pool) options(words []string) map[string]uint64 {
	o := map[string]uint64{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		n, err := strconv.ParseUint(value, 10, 64)
		if value != "" && err != nil {
			p.t.Fatal(err)
		}
		o[key] = n
	}
	return o
}

func (p *pool) run(line string) string {
	words := strings.Fields(line)
	o := p.options(words[1:])
	switch words[0] {
	case "limits":
		p.book.limits = Limits{Txs: int(o["txs"]), Bytes: int(o["bytes"]), Account: int(o["account"]), MaxAge: o["age"]}
		return "ok"
	case "fund":
		p.funds[words[1]] = unit.Amount(o["base"])
		return "ok"
	case "submit":
		return p.submit(words[1], o)
	case "final":
		return p.final(o)
	case "drop":
		return p.drop(words[1:])
	case "offer":
		return p.offer(words[1], o)
	case "restart":
		return p.restart(words[1])
	case "count":
		return fmt.Sprintf("%d transactions of %d accounts, %d bytes", len(p.book.items), len(p.book.senders), p.book.bytes)
	}
	p.t.Fatalf("unknown command %q", line)
	return ""
}

// submit offers a transfer (or, with the word governed, a System lane instruction).
func (p *pool) submit(name string, o map[string]uint64) string {
	x := &tx.Tx{
		ChainID: 1, Nonce: o["nonce"], Instruction: &tx.Transfer{To: account.Address{9}, Amount: 1}, CyclesLimit: unit.Cycles(max(o["cycles"], 21_000)),
		MaxFeePerCycle: max(o["fee"], 10_000), MaxFeePerCell: max(o["cell"], 10_000), MaxPriorityFeePerCycle: o["tip"],
		From: person(name), Metadata: make([]byte, o["pad"]), CellsLimit: unit.Cells(o["pad"]),
	}
	if _, ok := o["governed"]; ok {
		x.Instruction = &tx.CancelTimer{}
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		p.t.Fatal(err)
	}
	w := p.view()
	w.params.Administrators = []account.Address{person("admin")}
	it, removed, err := p.book.admit(v, false, w)
	if err != nil {
		return "reject " + reason(p.t, err)
	}
	c := removal(removed)
	c.add[it.lane()] = []*item{it}
	p.tell(c)
	return fmt.Sprintf("taken in tier %d of %s%s", it.tier, it.lane(), leaving(removed))
}

func reason(t *testing.T, err error) string {
	var nonce *tx.NonceError
	if errors.As(err, &nonce) {
		return fmt.Sprintf("E_TX_NONCE want %d", nonce.Want)
	}
	class, ok := tx.ClassOf(err)
	if !ok {
		t.Fatal(err)
	}
	return class.Name
}

func leaving(items []*item) string {
	text := ""
	for _, it := range items {
		text += " -" + label(it.tx)
	}
	return text
}

func (p *pool) tell(c change) {
	for l, q := range p.lanes {
		for _, it := range c.remove[l] {
			q.remove(it.tx.Hash())
		}
		for _, it := range c.add[l] {
			q.add(it)
		}
	}
}

// final gives accounts new nonces, as a final block would.
func (p *pool) final(o map[string]uint64) string {
	p.height += unit.Height(max(o["blocks"], 1))
	var txs []*tx.Tx
	for name, nonce := range o {
		if name != "blocks" {
			p.nonces[name] = nonce
			txs = append(txs, &tx.Tx{From: person(name)})
		}
	}
	removed, err := p.book.included(txs, p.view())
	if err != nil {
		p.t.Fatal(err)
	}
	p.tell(removal(removed))
	expired := p.book.expire(p.height)
	p.tell(removal(expired))
	return fmt.Sprintf("height %d%s%s", p.height, leaving(inOrder(removed)), leaving(inOrder(expired)))
}

func (p *pool) drop(labels []string) string {
	var hashes []digest.Hash
	for hash, place := range p.book.items {
		for _, l := range labels {
			if label(place.item.tx) == l {
				hashes = append(hashes, hash)
			}
		}
	}
	removed := p.book.drop(hashes)
	p.tell(removal(removed))
	return "gone" + leaving(inOrder(removed))
}

func (p *pool) offer(lane string, o map[string]uint64) string {
	q := p.lane(lane)
	w := want{cycles: unit.Cycles(max(o["cycles"], 1)), txs: 1000, bytes: 1 << 20}
	if n, ok := o["txs"]; ok {
		w.txs, w.cycles = int(n), 1<<40
	}
	w.nonce = func(a account.Address) (uint64, error) { return p.nonces[nameOf(a)], nil }
	txs, err := q.offer(w)
	if err != nil {
		p.t.Fatal(err)
	}
	text := "offers"
	for _, v := range txs {
		text += " " + label(v)
	}
	return text
}

func (p *pool) lane(name string) *queue {
	for l := range params.LaneCount {
		if l.String() == name {
			return p.lanes[l]
		}
	}
	p.t.Fatalf("no lane %q", name)
	return nil
}

// restart loses the router's book or a lane's queue and rebuilds it from the other.
func (p *pool) restart(who string) string {
	if who == "router" {
		old := p.book
		p.book = newBook(old.limits)
		var all []*item
		for _, q := range p.lanes {
			all = append(all, q.all()...)
		}
		for _, it := range inOrder(all) {
			p.book.adopt(it)
		}
		return fmt.Sprintf("adopted %d of %d", len(p.book.items), len(old.items))
	}
	for l := range params.LaneCount {
		if l.String() == who {
			p.lanes[l] = newQueue()
			for _, it := range p.book.of(l) {
				p.lanes[l].add(it)
			}
			return fmt.Sprintf("holds %d", len(p.lanes[l].items))
		}
	}
	p.t.Fatalf("nobody is called %q", who)
	return ""
}
