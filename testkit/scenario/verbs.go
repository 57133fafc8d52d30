package scenario

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	diagnose "github.com/fxamacker/cbor/v2"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/spelling"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// reference is the place of an address in a payload.
var reference = regexp.MustCompile(`\$\{[^}]*\}`)

// maxBlocks bounds the blocks one command makes.
const maxBlocks = 1_000_000

// verb is one command.
type verb struct {
	usage       string
	least, most int  // words before the payload
	payload     bool // whether the rest of the line is one
	run         func(w *world, args []string, payload string) error
}

var verbs map[string]verb

func init() {
	verbs = map[string]verb{
		"account":  {"NAME", 1, 1, false, newAccount},
		"deploy":   {"BY NAME FILE [PAYLOAD]", 3, 3, true, deploy},
		"call":     {"BY ACTOR HANDLER [PAYLOAD]", 3, 3, true, call},
		"pay":      {"BY ACTOR HANDLER CBY [PAYLOAD]", 4, 4, true, pay},
		"send":     {"BY ACTOR HANDLER [PAYLOAD]", 3, 3, true, send},
		"query":    {"ACTOR HANDLER [PAYLOAD]", 2, 2, true, query},
		"trace":    {"", 0, 0, false, trace},
		"why":      {"", 0, 0, false, why},
		"transfer": {"BY TO CBY", 3, 3, false, transfer},
		"fund":     {"BY ACTOR CBY", 3, 3, false, fund},
		"mine":     {"[N]", 0, 1, false, mine},
		"to":       {"HEIGHT", 1, 1, false, to},
		"advance":  {"SECONDS", 1, 1, false, mine},
		"balance":  {"NAME", 1, 1, false, balance},
		"height":   {"", 0, 0, false, func(w *world, _ []string, _ string) error { w.print("%d", w.chain.Height()); return nil }},
		"root":     {"[NAME]", 0, 1, false, root},
		"events":   {"ACTOR [TOPIC]", 1, 2, false, events},
		"storage":  {"ACTOR", 1, 1, false, storage},
		"timers":   {"ACTOR", 1, 1, false, timers},
		"mailbox":  {"ACTOR", 1, 1, false, mailbox},
		"job":      {"TYPE [late N] [copies N] ok|error|lost|votes [PAYLOAD]", 2, 2, true, job},
		"panic":    {"TURN [TIMES]", 1, 2, false, lose},
		"set":      {"balance NAME CBY | storage ACTOR KEY [VALUE]", 3, 3, true, set},
		"as":       {"FROM ACTOR HANDLER [PAYLOAD]", 3, 3, true, sendAs},
		"snapshot": {"NAME", 1, 1, false, snapshot},
		"revert":   {"NAME", 1, 1, false, revert},
		"gas":      {"", 0, 0, false, gas},
		"token":    {"BY NAME UNITS [HOOK]", 3, 4, false, makeToken},
		"give":     {"BY TOKEN TO UNITS", 4, 4, false, giveToken},
		"holding":  {"NAME TOKEN", 2, 2, false, holding},

		"fuzz":      {"ACTOR [HANDLER [SHAPE]]", 1, 2, true, func(*world, []string, string) error { return nil }},
		"invariant": {"COMMAND", 1, 1, true, invariant},
	}
}

// nearest suggests a command for one that does not exist.
func nearest(word string) string {
	names := slices.Sorted(maps.Keys(verbs))
	best := spelling.Nearest(word, names, 2)
	if best == "" {
		return "commands are " + strings.Join(names, ", ")
	}
	return "did you mean " + best + "?"
}

// misnamed is a name that nothing bears, with what does.
type misnamed struct{ text, hint string }

func (e *misnamed) Error() string { return e.text }

// unknown says that a name is nothing's, and which names there are.
func unknown[T any](text, name string, known map[string]T) error {
	names := slices.Sorted(maps.Keys(known))
	hint := ""
	if near := spelling.Nearest(name, names, 2); near != "" && len(name) > 2 {
		hint = "did you mean " + near + "?"
	} else if len(names) > 0 {
		hint = "there are " + strings.Join(names, ", ")
	}
	return &misnamed{text, hint}
}

func (w *world) account(name string) (*testkit.Account, error) {
	if a := w.accounts[name]; a != nil {
		return a, nil
	}
	return nil, unknown(fmt.Sprintf("there is no account %s; `account %s` makes one", name, name), name, w.accounts)
}

// address gives the address of a name, or of an address written out.
func (w *world) address(name string) (account.Address, error) {
	if addr, ok := w.addresses[name]; ok {
		return addr, nil
	}
	if addr, err := account.ParseAddress(name); err == nil {
		return addr, nil
	}
	return account.Address{}, unknown("nothing is called "+name, name, w.addresses)
}

func (w *world) call(name string, addr account.Address) error {
	if _, taken := w.addresses[name]; taken {
		return fmt.Errorf("%s is taken", name)
	}
	w.addresses[name], w.names[addr] = addr, name
	return nil
}

// fill puts addresses and identifiers of tokens into a payload.
func (w *world) fill(payload string) (string, error) {
	var missing error
	filled := reference.ReplaceAllStringFunc(payload, func(ref string) string {
		name := ref[2 : len(ref)-1]
		if id, ok := w.tokens[name]; ok {
			return id.String()
		}
		addr, err := w.address(name)
		if err != nil {
			missing = err
		}
		return addr.String()
	})
	return filled, missing
}

func newAccount(w *world, args []string, _ string) error {
	a := w.chain.Account(args[0])
	if err := w.call(args[0], a.Address()); err != nil {
		return err
	}
	w.accounts[args[0]] = a
	return nil
}

func deploy(w *world, args []string, payload string) error {
	by, err := w.account(args[0])
	if err != nil {
		return err
	}
	source, ok := w.story.file(args[2])
	if !ok {
		return fmt.Errorf("there is no file %s, in the archive or beside it", args[2])
	}
	var init []byte
	if payload != "" {
		if payload, err = w.fill(payload); err != nil {
			return err
		}
		init = []byte(payload)
	}
	if canonical, err := pvm.CanonicalSource([]byte(source)); err == nil {
		w.files[string(canonical)] = args[2]
	}
	x := by.TryDeploy(source, init)
	if x.Created != nil && x.Status == block.Success {
		if err := w.call(args[1], *x.Created); err != nil {
			return err
		}
	}
	w.handlers[x.ID.String()] = args[1] + " deploy"
	w.receipt(x)
	return nil
}

func (w *world) execute(args []string, payload string) (*testkit.Account, *tx.Execute, error) {
	by, err := w.account(args[0])
	if err != nil {
		return nil, nil, err
	}
	actor, err := w.address(args[1])
	if err != nil {
		return nil, nil, err
	}
	payload, err = w.fill(payload)
	return by, &tx.Execute{To: actor, Handler: []byte(args[2]), Payload: []byte(payload)}, err
}

func call(w *world, args []string, payload string) error {
	by, in, err := w.execute(args, payload)
	if err != nil {
		return err
	}
	return w.run(by, in, args)
}

// run makes a block with a transaction and prints what became of it.
func (w *world) run(by *testkit.Account, in *tx.Execute, args []string) error {
	x := by.Do(in, testkit.ExecuteCycles, testkit.ExecuteCells)
	w.handlers[x.ID.String()] = args[1] + "." + args[2]
	w.receipt(x)
	w.others(w.chain.Blocks()[len(w.chain.Blocks())-1].Receipts)
	return nil
}

// pay is call with coins.
func pay(w *world, args []string, payload string) error {
	by, in, err := w.execute(args, payload)
	if err != nil {
		return err
	}
	if in.Amount, err = unit.ParseCBY(args[3]); err != nil {
		return fmt.Errorf("%s is not an amount of CBY", args[3])
	}
	return w.run(by, in, args)
}

func send(w *world, args []string, payload string) error {
	by, in, err := w.execute(args, payload)
	if err == nil {
		id := by.Send(in, testkit.ExecuteCycles, testkit.ExecuteCells)
		w.handlers[id.String()] = args[1] + "." + args[2]
	}
	return err
}

func (w *world) coins(args []string) (by *testkit.Account, to account.Address, amount unit.Amount, err error) {
	if by, err = w.account(args[0]); err != nil {
		return
	}
	if to, err = w.address(args[1]); err != nil {
		return
	}
	if amount, err = unit.ParseCBY(args[2]); err != nil {
		err = fmt.Errorf("%s is not an amount of CBY", args[2])
	}
	return
}

func transfer(w *world, args []string, _ string) error {
	by, to, amount, err := w.coins(args)
	if err == nil {
		w.receipt(by.Do(&tx.Transfer{To: to, Amount: amount}, 21_000, 0))
	}
	return err
}

func fund(w *world, args []string, _ string) error {
	by, to, amount, err := w.coins(args)
	if err == nil {
		w.receipt(by.Do(&tx.FundActor{Actor: to, Amount: amount}, 50_000, 10_000))
	}
	return err
}

func mine(w *world, args []string, _ string) error {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 || n > maxBlocks {
			return fmt.Errorf("%s is not a number of blocks from 1 to %d", args[0], maxBlocks)
		}
	}
	for range n {
		w.block()
	}
	return nil
}

func to(w *world, args []string, _ string) error {
	height, err := strconv.ParseUint(args[0], 10, 63)
	if err != nil || height <= uint64(w.chain.Height()) || height-uint64(w.chain.Height()) > maxBlocks {
		return fmt.Errorf("%s is not a height above %d", args[0], w.chain.Height())
	}
	for uint64(w.chain.Height()) < height {
		w.block()
	}
	return nil
}

// block makes a block and prints what ran in it.
func (w *world) block() {
	r := w.chain.Mine()
	for _, x := range r.Receipts {
		if what := w.handlers[x.ID.String()]; x.Kind == block.Transaction && what != "" {
			w.print("%d transaction %s", r.Header.Height, what)
			w.receipt(x)
		}
	}
	w.others(r.Receipts)
}

// others prints what ran besides transactions and the protocol's own work.
func (w *world) others(receipts []*block.Receipt) {
	for _, x := range receipts {
		if x.Kind != block.Transaction && x.Kind != block.System {
			with := ""
			if x.Value > 0 {
				with = " with " + x.Value.CBY() + " CBY"
			}
			w.print("%d %v to %v%s", w.chain.Height(), x.Kind, x.Target, with)
			w.receipt(x)
		}
	}
}

// root prints the state root, or compares it with the one of a name, which the first use of the name notes.
func root(w *world, args []string, _ string) error {
	now := w.chain.Root()
	if len(args) == 0 {
		w.print("%v", now)
		return nil
	}
	before, noted := w.roots[args[0]]
	switch {
	case !noted:
		w.roots[args[0]] = now
	case before == now:
		w.print("as %s", args[0])
	default:
		w.print("not as %s", args[0])
	}
	return nil
}

func balance(w *world, args []string, _ string) error {
	addr, err := w.address(args[0])
	if err == nil {
		w.print("%s CBY", w.chain.Balance(addr).CBY())
	}
	return err
}

func events(w *world, args []string, _ string) error {
	addr, err := w.address(args[0])
	if err != nil {
		return err
	}
	for _, b := range w.chain.Blocks() {
		for _, x := range b.Receipts {
			for i := range x.Events {
				if e := &x.Events[i]; e.Actor == addr && (len(args) < 2 || string(e.Topic) == args[1]) {
					w.print("%d %s %s", b.Header.Height, e.Topic, shown(e.Data))
				}
			}
		}
	}
	return nil
}

func storage(w *world, args []string, _ string) error {
	addr, err := w.address(args[0])
	if err != nil {
		return err
	}
	prefix := account.Key(account.KindStorage, addr)
	return w.chain.State().Scan(prefix, nil, maxOutput, func(key, value []byte) bool {
		text, err := diagnose.Diagnose(value)
		if err != nil {
			text = "0x" + hex.EncodeToString(value)
		}
		w.print("%s = %s", shown(key[len(prefix):]), text)
		return true
	})
}

func timers(w *world, args []string, _ string) error {
	addr, err := w.address(args[0])
	if err != nil {
		return err
	}
	for _, t := range w.chain.Timers(addr) {
		cost, has := w.chain.Fire(&t)
		lacks := ""
		if has < cost {
			lacks = fmt.Sprintf("; %v has to hold %s CBY by then, and holds %s", t.Payer, cost.CBY(), has.CBY())
		}
		w.print("at %d %v.%s%s", t.Height, t.Target, t.Handler, lacks)
	}
	return nil
}

func mailbox(w *world, args []string, _ string) error {
	addr, err := w.address(args[0])
	if err == nil {
		a := w.chain.Record(addr)
		w.print("%d messages, %d bytes", a.MailboxCount, a.MailboxBytes)
	}
	return err
}

// readers are the commands that change nothing.
var readers = []string{"query", "balance", "events", "storage", "timers", "mailbox"}

// invariant is a command whose output must stay what it is, whatever is called.
func invariant(w *world, args []string, rest string) error {
	if !slices.Contains(readers, args[0]) {
		return fmt.Errorf("an invariant is a command that changes nothing: %s", strings.Join(readers, ", "))
	}
	v := verbs[args[0]]
	list, payload := words(rest, v.most)
	if len(list) < v.least || payload != "" && !v.payload {
		return errors.New("usage: invariant " + args[0] + " " + v.usage)
	}
	return v.run(w, list, payload)
}

func snapshot(w *world, args []string, _ string) error {
	w.snapshots[args[0]] = w.chain.Snapshot()
	return nil
}

func revert(w *world, args []string, _ string) error {
	s := w.snapshots[args[0]]
	if s == nil {
		return unknown("there is no snapshot "+args[0], args[0], w.snapshots)
	}
	w.chain.Revert(s)
	w.measured = min(w.measured, len(w.chain.Blocks()))
	return nil
}

// gas prints what every handler used since it was asked last.
func gas(w *world, _ []string, _ string) error {
	type use struct{ runs, cycles, cells uint64 }
	total := map[string]*use{}
	for _, b := range w.chain.Blocks()[w.measured:] {
		for _, x := range b.Receipts {
			what := w.handlers[x.ID.String()]
			if x.Kind != block.Transaction {
				what = w.named(x.Target.String()) + " " + x.Kind.String()
			}
			if what == "" || x.Kind == block.System {
				continue
			}
			if total[what] == nil {
				total[what] = &use{}
			}
			u := total[what]
			u.runs++
			u.cycles += uint64(x.CyclesUsed)
			u.cells += uint64(x.CellsUsed)
		}
	}
	w.measured = len(w.chain.Blocks())
	names := make([]string, 0, len(total))
	for name := range total {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		u := total[name]
		w.print("%s: %d runs, %d cycles, %d cells", name, u.runs, u.cycles, u.cells)
	}
	return nil
}

// shown gives bytes as text where they are text, else as digits.
func shown(b []byte) string {
	if utf8.Valid(b) && !strings.ContainsFunc(string(b), func(r rune) bool { return !unicode.IsPrint(r) }) {
		return string(b)
	}
	return "0x" + hex.EncodeToString(b)
}
