package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	registry "github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	store "github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// hall is the chain's own market, with the dispatchers of a committee and nothing else. A block of it lets each of them poll, then takes what they sent.
type hall struct {
	*market.Market
	t       *testing.T
	v       *verifier.Verifier
	overlay *store.Overlay
	supply  unit.Amount
	seats   map[account.Address]*seat
	queue   []sending
	events  []string
	opened  unit.Height   // the first block in which reveals are taken
	shown   []unit.Height // of each reveal that was taken
	between func()        // behind the polls of a block and before its transactions
}

// sending is a transaction.
type sending struct {
	by  *seat
	act any
}

// seat is a dispatcher of the hall.
type seat struct {
	*life
	disk     *disk.Memory
	from     unit.Height // it polls from this block on
	dead     bool
	silent   bool // as the aggregator it promises everything and posts nothing of others
	sent     map[string]int
	refused  []string
	handed   map[Reply]int
	declined []string
}

const (
	hallStake = 20_000 * unit.CBY
	hallBegan = 10_000
)

var hallAsker = account.Address{0: 0xee, 19: 1}

func newHall(t *testing.T, seats int) *hall {
	o := store.New(store.Config{}, store.NewMemory(store.Config{})).Overlay()
	h := &hall{t: t, overlay: o, seats: map[account.Address]*seat{}}
	h.v = &verifier.Verifier{Recover: sig.Default(), CycleFee: 10_000, Emit: func(topic string, data []byte) { h.events = append(h.events, topic) }}
	h.Market = &market.Market{State: o, Params: params.Genesis(), Verifier: h.v, Emit: func(string, []byte) {}}
	h.Registry = &registry.Registry{State: o, Params: h.Params, Emit: func(string, []byte) {}}
	h.at(1)
	for i := range seats {
		secret := digest.SHA256(fmt.Append(nil, "seat ", i))
		key, err := sig.ParsePrivateKey(secret[:])
		h.must(err)
		h.fund(registry.Home(), hallStake)
		h.must(h.Registry.Register(key.Address(), registry.Terms{
			Key: key.Compressed(), Stake: hallStake, Card: registry.RateCard{LLMOutputToken: unit.CBY / 100, MaxJobValue: 100 * unit.CBY},
			Capabilities: registry.Capabilities{JobTypes: []registry.Name{{Name: "llm"}}, MaxConcurrentJobs: 3},
		}))
		d := disk.NewMemory()
		h.must(MakeJournal(d, key.Address(), genesis))
		s := &seat{disk: d, sent: map[string]int{}, handed: map[Reply]int{}}
		h.seats[key.Address()] = s
		h.wakes(s, key)
	}
	h.at(hallBegan)
	for addr := range h.seats { // order-free: each by itself
		h.must(h.Registry.Heartbeat(addr, true))
	}
	h.fund(hallAsker, 1_000*unit.CBY)
	return h
}

// wakes opens the journal of a seat, as a process does that begins.
func (h *hall) wakes(s *seat, key *sig.PrivateKey) {
	j, b, err := openJournal(s.disk, key.Address(), genesis)
	h.must(err)
	s.life = &life{t: h.t, j: j, state: &state{
		book: b, key: key, fleet: []string{"llm"}, maxOpen: 100, hands: true, collects: &Collecting{},
	}}
	s.dead = false
}

// dies ends a seat as a power cut does.
func (h *hall) dies(s *seat) {
	s.dead = true
	s.disk = s.disk.Crash(func(string, int) int { return 0 })
}

func (h *hall) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hall) fund(addr account.Address, amount unit.Amount) {
	h.must(account.Credit(h.overlay, addr, amount))
	h.supply += amount
}

func (h *hall) at(height unit.Height) {
	h.Height, h.Registry.Height, h.Time = height, height, 1_000_000+uint64(height)
	h.Round = sig.Round{Epoch: 1, View: uint64(height)}
	h.ParentView = uint64(height) - 1
	h.Beacon = sig.Seed{Round: sig.Round{Epoch: 1, View: uint64(height) - 1}, Signature: sig.BLSSignature{byte(height), byte(height >> 8)}}
}

// ask submits a job of five runners, three of whom have to agree: 10 CBY at most, a tip of 1; an answer of 100 tokens costs 1.
func (h *hall) ask(edit ...func(*job.Spec)) digest.Hash {
	h.t.Helper()
	s := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100}, Schema: job.ResultSchema{MaxReturnBytes: job.MaxResultBytes},
		Bounds:   job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30},
		MaxPrice: 10 * unit.CBY, Tip: unit.CBY, TimeoutBlocks: 100,
		Verification: job.Verification{Mode: job.ModeMajorityVote, Runners: 5, Threshold: 3, DisputeBlocks: 75},
	}
	for _, e := range edit {
		e(s)
	}
	t, err := h.Submit(digest.SHA256([]byte("ask")), s, hallAsker, nil, 0)
	h.must(err)
	for range 5 {
		h.ends()
	}
	return t.ID
}

// view is what a node tells a runner.
func (h *hall) view(who account.Address, known []digest.Hash) View {
	v := View{Height: uint64(h.Height) - 1}
	list, err := market.ByRunner(h.overlay, who, digest.Hash{}, 0)
	h.must(err)
	for _, id := range known {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	for _, id := range list {
		t, err := h.Open(id)
		h.must(err)
		a := Assignment{ID: id, Spec: t.Spec.Append(nil), Deadline: uint64(t.Job.Deadline)}
		switch t.Job.Status {
		case market.Assigned, market.Executing:
			a.Stage = Working
		case market.Revealing:
			a.Stage = Revealing
		}
		if t.Selection != nil {
			a.Aggregator = t.Selection.Aggregator
			for _, one := range t.Selection.Selected {
				c, err := market.LoadCommitment(h.overlay, id, one)
				h.must(err)
				r, err := market.LoadReveal(h.overlay, id, one)
				h.must(err)
				m := Member{Runner: one, Revealed: r != nil}
				if c != nil {
					m.Commitment = c.Hash
				}
				if one == who {
					a.Committed, a.Commitment, a.Revealed, a.Crashed = c != nil, m.Commitment, m.Revealed, c != nil && c.Crashed
				} else {
					a.Others = append(a.Others, m)
				}
			}
		}
		v.Jobs = append(v.Jobs, a)
	}
	return v
}

// performs journals what a seat has decided, and does it.
func (h *hall) performs(s *seat) {
	d := s.state
	records, acts := d.records, d.acts
	d.records, d.acts, d.endings, d.tell = nil, nil, nil, nil
	h.must(s.j.add(records))
	for _, act := range acts {
		switch act := act.(type) {
		case putting:
			k, err := readTask(act.data)
			h.must(err)
			o := verify.Output{Data: []byte("because"), Timestamp: 1, Usage: verify.Usage{OutputTokens: 100}}
			d.finished(&done{id: k.id, try: k.try, body: o.Append(nil)}, 1)
			h.performs(s)
		case *handing:
			h.hands(s, act)
		case committing, revealing, crashing:
			h.queue = append(h.queue, sending{s, act})
		}
	}
}

// hands brings a reveal to its aggregator.
func (h *hall) hands(s *seat, act *handing) {
	to, says, why := h.seats[act.to], Declined, "it is down"
	switch {
	case to.dead:
	case to.silent:
		says = Promised
	default:
		says, why = to.state.offered(&offer{act.id, act.reveal, unit.CBY / 100})
		h.performs(to)
	}
	s.handed[says]++
	if says == Declined {
		s.declined = append(s.declined, why)
	}
	s.state.handed(act, says)
	h.performs(s)
}

// ends is a block: polls, transactions, what is due.
func (h *hall) ends() {
	h.t.Helper()
	for _, addr := range slices.SortedFunc(maps.Keys(h.seats), account.Address.Compare) {
		if s := h.seats[addr]; !s.dead && h.Height >= s.from {
			s.state.polled(h.view(addr, s.state.known()))
			h.performs(s)
		}
	}
	if h.between != nil {
		h.between()
	}
	for _, p := range h.queue {
		mark := h.overlay.Mark()
		name, err := h.takes(p)
		p.by.sent[name]++
		if err != nil {
			h.overlay.Revert(mark)
			p.by.refused = append(p.by.refused, name+": "+err.Error())
		}
	}
	h.queue = nil
	h.must(h.End())
	h.must(market.AddEscrow(h.overlay, h.Held))
	h.Held = 0
	h.check()
	h.at(h.Height + 1)
}

// takes executes a transaction.
func (h *hall) takes(p sending) (name string, err error) {
	who := p.by.state.key.Address()
	switch act := p.act.(type) {
	case committing:
		t, err := h.Commit(act.id, who, act.commitment)
		if err == nil && t.Job.Status == market.Revealing {
			h.opened = h.Height + 1
		}
		return "commitment", err
	case revealing:
		name, err = "reveal", h.v.Reveal(h.Market, act.id, act.reveal)
		if act.reveal.Runner != who {
			name = "other's"
		}
		if err == nil {
			h.shown = append(h.shown, h.Height)
		}
		return name, err
	case crashing:
		return act.signal.String(), h.v.Crash(h.Market, act.id, who, act.signal)
	}
	return "", errors.New("no transaction")
}

// check adds all coins up.
func (h *hall) check() {
	h.t.Helper()
	held, err := market.Escrow(h.overlay)
	h.must(err)
	var sum unit.Amount
	h.must(h.overlay.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(_, value []byte) bool {
		a, err := account.Decode(value)
		h.must(err)
		sum += a.Balance
		return true
	}))
	if sum+held+h.Burned != h.supply {
		h.t.Fatalf("block %d: accounts %d, held %d, burned %d, all coins %d", h.Height, sum, held, h.Burned, h.supply)
	}
}

// committee are the seats of a job: the aggregator's first.
func (h *hall) committee(id digest.Hash) (list []*seat) {
	h.t.Helper()
	s, err := market.LoadSelection(h.overlay, id)
	if err != nil || s == nil || len(s.Selected) != 5 {
		h.t.Fatalf("%+v, %v", s, err)
	}
	for _, addr := range s.Selected {
		if addr != s.Aggregator {
			list = append(list, h.seats[addr])
		}
	}
	return append([]*seat{h.seats[s.Aggregator]}, list...)
}

// settled ends blocks until the job is paid for.
func (h *hall) settled(id digest.Hash) {
	h.t.Helper()
	for range 400 {
		j, err := market.Load(h.overlay, id)
		h.must(err)
		if j.Status == market.Completed {
			return
		}
		h.ends()
	}
	h.t.Fatal("the job is never paid for")
}
