package retention

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; storage-cbfs §7.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Contract": fullContract().Encode(), "Commitment": golden.Fill(&Commitment{}).Encode(), "Seed": golden.Fill(&Seed{}).Encode(),
		"Policy": fullContract().Policy.append(nil),
	})
}

func fullContract() *Contract {
	c := golden.Fill(&Contract{})
	for i := range c.Blobs {
		c.Blobs[i].Ref.Alg = cbfs.Keccak
	}
	c.Policy.Sampling, c.Policy.Penalty = ByRange, Slash
	return c
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	c, k, s := fullContract(), golden.Fill(&Commitment{}), golden.Fill(&Seed{})
	for name, run := range map[string]func(cut int) (any, any, error){
		"contract": func(cut int) (any, any, error) { b, err := Decode(c.Encode()[:len(c.Encode())-cut]); return c, b, err },
		"commitment": func(cut int) (any, any, error) {
			b, err := DecodeCommitment(k.Encode()[:len(k.Encode())-cut])
			return k, b, err
		},
		"seed": func(cut int) (any, any, error) {
			b, err := DecodeSeed(s.Encode()[:len(s.Encode())-cut])
			return s, b, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, back, err := run(0)
			if err != nil || !reflect.DeepEqual(back, want) {
				t.Errorf("%+v, want %+v: %v", back, want, err)
			}
			if _, _, err := run(1); err == nil {
				t.Error("it is read without its last byte")
			}
		})
	}
}

// The table of outcomes. Rate 7, six epochs, audits in 4, 6 and 8, each for two epochs: 14 CBY an audit, 42 in all; two seats, 84 in escrow. A strike takes 30
// of a stake of 100, of which 3 are burned, 0.6 go to the pool and 26.4 to the relays.
//
// Spec: storage-cbfs §7 (payment_terms, penalty_terms, max_strikes), §6 (10/2/88).
func TestOutcomes(t *testing.T) {
	bps := policy()
	bps.Slash, bps.SlashBPS = 0, 1_234
	for name, c := range map[string]struct {
		policy  Policy
		penalty Penalty
		does    string // of the first provider in epochs 4, 6 and 8: + proves, x proves wrongly, . nothing
		gains   int64  // the first provider, when all is over
		back    int64  // of what the operator paid
		burned  unit.Amount
		pool    unit.Amount
		pot     unit.Amount
		held    bool // the first provider has its seat to the end
	}{
		"proves all":         {policy(), Both, "+++", 42 * cby, 42 * cby, 0, 0, 0, true},
		"misses one, both":   {policy(), Both, "+.+", 28*cby - 30*cby, 56 * cby, 3 * cby, cby * 6 / 10, cby * 264 / 10, true},
		"misses one, no pay": {policy(), NoPay, "+.+", 28 * cby, 56 * cby, 0, 0, 0, true},
		"misses one, slash":  {policy(), Slash, "+.+", 42*cby - 30*cby, 42 * cby, 3 * cby, cby * 6 / 10, cby * 264 / 10, true},
		"wrong, both":        {policy(), Both, "x++", 28*cby - 30*cby, 56 * cby, 3 * cby, cby * 6 / 10, cby * 264 / 10, true},
		"misses all, both":   {policy(), Both, "...", -90 * cby, 84 * cby, 9 * cby, cby * 18 / 10, cby * 792 / 10, false},
		"misses all, no pay": {policy(), NoPay, "...", 0, 84 * cby, 0, 0, 0, false},
		"two and wrong":      {policy(), Both, "..x", -90 * cby, 84 * cby, 9 * cby, cby * 18 / 10, cby * 792 / 10, false},
		"misses all, slash":  {policy(), Slash, "...", 42*cby - 90*cby, 42 * cby, 9 * cby, cby * 18 / 10, cby * 792 / 10, false},
		// Two strikes of 12.34 CBY each.
		"parts of a stake": {bps, Both, "..+", 14*cby - 24_680_000_000, 70 * cby, 2_468_000_000, 493_600_000, 21_718_400_000, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := c.policy
			if p.Penalty = c.penalty; p.Penalty == NoPay {
				p.Slash = 0
			}
			id := w.create(p)
			w.accept(id, 0, p.Stake)
			for i, epoch := range []uint64{4, 6, 8} {
				w.epoch(epoch)
				if c.does[i] != '.' {
					w.prove(id, 0, c.does[i] == '+')
				}
				w.sums()
			}
			w.epoch(9)
			if _, err := LoadCommitment(w.s, id, keeper(0)); (err == nil) != c.held {
				t.Errorf("its seat: %v", err)
			}
			w.pass(19*600 - 1)
			if _, err := Load(w.s, id); err != nil {
				t.Error("it is gone before its grace is over: ", err)
			}
			w.pass(19 * 600)
			if _, err := Load(w.s, id); !errors.Is(err, ErrNotFound) {
				t.Errorf("after its grace: %v", err)
			}
			w.sums()
			k, err := relay.LoadClock(w.s)
			w.must(err)
			if w.gained(keeper(0)) != c.gains || w.gained(operator(0)) != c.back-84*cby {
				t.Errorf("gained %d and %d, want %d and %d", w.gained(keeper(0)), w.gained(operator(0)), c.gains, c.back-84*cby)
			}
			if w.g.Burned != c.burned || k.Pool != c.pool || k.Pot != c.pot {
				t.Errorf("burned %d, pool %d, pot %d; want %d, %d, %d", w.g.Burned, k.Pool, k.Pot, c.burned, c.pool, c.pot)
			}
		})
	}
}

// Who takes a seat later is paid from the next epoch on, and the last audit is in the last epoch, whatever the cadence.
//
// Spec: storage-cbfs §7 (start_epoch, end_epoch exclusive, audit_cadence).
func TestAuditsPayForTheirEpochs(t *testing.T) {
	for _, c := range []struct {
		accepted uint64
		audits   []uint64
		paid     []int64 // epochs
	}{
		{2, []uint64{6, 10, 12}, []int64{4, 4, 2}},
		{4, []uint64{6, 10, 12}, []int64{2, 4, 2}},
		{5, []uint64{6, 10, 12}, []int64{1, 4, 2}},
		{6, []uint64{10, 12}, []int64{4, 2}},
		{11, []uint64{12}, []int64{1}},
	} {
		t.Run(fmt.Sprint(c.accepted), func(t *testing.T) {
			w := newWorld(t)
			p := policy()
			p.End, p.Cadence = 13, 4
			id := w.create(p)
			if c.accepted > 2 {
				w.epoch(c.accepted)
			}
			w.accept(id, 3, p.Stake)
			sum := -int64(p.Stake)
			for i, epoch := range c.audits {
				w.epoch(epoch - 1)
				if _, err := w.m.Prove(keeper(3), id, nil); !errors.Is(err, ErrAudit) {
					t.Errorf("an epoch before %d: %v", epoch, err)
				}
				w.epoch(epoch)
				w.prove(id, 3, true)
				if sum += c.paid[i] * 7 * int64(cby); w.gained(keeper(3)) != sum {
					t.Errorf("after %d: %d, want %d", epoch, w.gained(keeper(3)), sum)
				}
				if _, err := w.m.Prove(keeper(3), id, nil); !errors.Is(err, ErrAudit) {
					t.Errorf("a second time in %d: %v", epoch, err)
				}
			}
			w.sums()
		})
	}
}

// An answer counts from the block after the epoch's first one to its last block, and not in the next one.
//
// Spec: storage-cbfs §7 (an epoch has 600 blocks; epoch_randomness).
func TestTheWindowOfAnAudit(t *testing.T) {
	for at, want := range map[unit.Height]error{4 * 600: ErrAudit, 4*600 + 1: nil, 5*600 - 1: nil, 5 * 600: ErrAudit} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			w := newWorld(t)
			id := w.create(policy())
			w.accept(id, 0, 100*cby)
			w.pass(at)
			if _, err := w.m.Prove(keeper(0), id, w.answer(id, 0, false)); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// Renewed before its end a contract goes on, in its grace it begins anew with the next epoch, and not after that.
//
// Spec: storage-cbfs §7 (10 epochs of grace).
func TestRenewal(t *testing.T) {
	renew := func(w *world, want error, id digest.Hash, end uint64, coins unit.Amount) {
		w.t.Helper()
		w.try(want, operator(0), coins, func() error { return w.m.Renew(operator(0), id, end, coins) })
	}
	t.Run("before the end", func(t *testing.T) {
		w := newWorld(t)
		id := w.create(policy())
		w.accept(id, 0, 100*cby)
		w.epoch(4)
		w.prove(id, 0, true)
		renew(w, ErrEscrow, id, 11, 28*cby-1)
		renew(w, ErrTerms, id, 9, 28*cby)
		renew(w, ErrTerms, id, 4+MaxEpochs+1, 900_000*cby)
		renew(w, nil, id, 11, 28*cby)
		for _, epoch := range []uint64{6, 8, 10} {
			w.epoch(epoch)
			w.prove(id, 0, true)
		}
		w.pass(21 * 600)
		w.sums()
		if w.gained(keeper(0)) != 56*cby || w.gained(operator(0)) != -56*cby {
			t.Error(w.gained(keeper(0)), w.gained(operator(0)))
		}
	})
	t.Run("in the grace", func(t *testing.T) {
		w := newWorld(t)
		id := w.create(policy())
		w.accept(id, 0, 100*cby)
		for _, epoch := range []uint64{4, 6, 8} {
			w.epoch(epoch)
			w.prove(id, 0, true)
		}
		w.epoch(18)
		renew(w, ErrTerms, id, 19, 0)
		renew(w, nil, id, 22, 42*cby) // epochs 19, 20 and 21
		for _, epoch := range []uint64{20, 21} {
			w.epoch(epoch)
			w.prove(id, 0, true)
		}
		w.pass(32 * 600)
		w.sums()
		// 42 CBY for the first six epochs, 21 for the three others, of 84 and 42 in escrow.
		if w.gained(keeper(0)) != 63*cby || w.gained(operator(0)) != -63*cby {
			t.Error(w.gained(keeper(0)), w.gained(operator(0)))
		}
	})
	t.Run("after it", func(t *testing.T) {
		w := newWorld(t)
		id := w.create(policy())
		w.epoch(19)
		renew(w, ErrNotFound, id, 30, 999*cby)
	})
	w := newWorld(t)
	id := w.create(policy())
	w.try(ErrAuth, operator(1), 28*cby, func() error { return w.m.Renew(operator(1), id, 11, 28*cby) })
}

// Each refusal, with nothing changed.
//
// Spec: storage-cbfs §7, §9.
func TestRefusals(t *testing.T) {
	w := newWorld(t)
	create := func(want error, change func(r *Request), coins unit.Amount) {
		t.Helper()
		r := Request{Blobs: blobs(files()), Policy: policy()}
		change(&r)
		w.try(want, operator(0), coins, func() error { _, err := w.m.Create(operator(0), digest.Hash{2}, r, coins); return err })
	}
	type change = func(r *Request)
	for name, c := range map[string]struct {
		want   error
		change change
	}{
		"no blob":             {ErrTerms, func(r *Request) { r.Blobs = nil }},
		"a byte over":         {ErrTerms, func(r *Request) { r.Blobs = append(r.Blobs, 0) }},
		"17 blobs":            {ErrTerms, func(r *Request) { r.Blobs = slices.Repeat(r.Blobs[:96], 17) }},
		"no reference":        {cbfs.ErrBlob, func(r *Request) { r.Blobs[63] = 1 }},
		"empty blob":          {cbfs.ErrBlob, func(r *Request) { copy(r.Blobs[34:42], make([]byte, 8)) }},
		"too large a blob":    {cbfs.ErrBlob, func(r *Request) { r.Blobs[36], r.Blobs[41] = 1, 1 }},
		"whole blob":          {cbfs.ErrBlob, func(r *Request) { copy(r.Blobs[42:46], make([]byte, 4)) }},
		"odd pieces":          {cbfs.ErrBlob, func(r *Request) { r.Blobs[45] = 1 }},
		"large pieces":        {cbfs.ErrBlob, func(r *Request) { copy(r.Blobs[42:46], []byte{0, 0, 64, 0}) }},
		"starts now":          {ErrTerms, func(r *Request) { r.Policy.Start = 2 }},
		"starts too late":     {ErrTerms, func(r *Request) { r.Policy.Start, r.Policy.End = 3+MaxAhead, 4+MaxAhead }},
		"no epoch":            {ErrTerms, func(r *Request) { r.Policy.End = 3 }},
		"too many epochs":     {ErrTerms, func(r *Request) { r.Policy.End = 4 + MaxEpochs }},
		"no seat":             {ErrTerms, func(r *Request) { r.Policy.Replicas = 0 }},
		"17 seats":            {ErrTerms, func(r *Request) { r.Policy.Replicas = 17 }},
		"no cadence":          {ErrTerms, func(r *Request) { r.Policy.Cadence = 0 }},
		"too rare audits":     {ErrTerms, func(r *Request) { r.Policy.Cadence = MaxCadence + 1 }},
		"no sample":           {ErrTerms, func(r *Request) { r.Policy.Samples = 0 }},
		"5 samples":           {ErrTerms, func(r *Request) { r.Policy.Samples = 5 }},
		"range of nothing":    {ErrTerms, func(r *Request) { r.Policy.Sampling = ByRange }},
		"range over a piece":  {ErrTerms, func(r *Request) { r.Policy.Sampling, r.Policy.SampleSize = ByRange, 1_025 }},
		"index with a size":   {ErrTerms, func(r *Request) { r.Policy.SampleSize = 1 }},
		"no rate":             {ErrTerms, func(r *Request) { r.Policy.Rate = 0 }},
		"no strikes":          {ErrTerms, func(r *Request) { r.Policy.Strikes = 0 }},
		"101 strikes":         {ErrTerms, func(r *Request) { r.Policy.Strikes = 101 }},
		"slash of nothing":    {ErrTerms, func(r *Request) { r.Policy.Slash = 0 }},
		"both slashes":        {ErrTerms, func(r *Request) { r.Policy.SlashBPS = 1 }},
		"slash over 10,000":   {ErrTerms, func(r *Request) { r.Policy.Slash, r.Policy.SlashBPS = 0, 10_001 }},
		"slash without stake": {ErrTerms, func(r *Request) { r.Policy.Stake, r.Policy.Slash, r.Policy.SlashBPS = 0, 0, 1 }},
		"slash over stake":    {ErrTerms, func(r *Request) { r.Policy.Slash = 100*cby + 1 }},
		"slash for no pay":    {ErrTerms, func(r *Request) { r.Policy.Penalty = NoPay }},
		"long metadata":       {ErrTerms, func(r *Request) { r.Metadata = make([]byte, 257) }},
		"too high a rate":     {ErrEscrow, func(r *Request) { r.Policy.Rate = 1 << 63 }},
		"large answers": {ErrTerms, func(r *Request) {
			r.Policy.Samples = 2
			copy(r.Blobs[42:46], []byte{0, 0, 32, 0})
		}},
	} {
		t.Run(name, func(t *testing.T) { create(c.want, c.change, 84*cby) })
	}
	create(ErrEscrow, func(*Request) {}, 84*cby-1)
	create(nil, func(*Request) {}, 84*cby)
	create(ErrTaken, func(*Request) {}, 84*cby)
	for _, same := range []change{
		func(r *Request) { r.Policy.Start, r.Policy.End = 2+MaxAhead, 3+MaxAhead }, func(r *Request) { r.Metadata = make([]byte, 256) },
		func(r *Request) { r.Blobs = slices.Repeat(r.Blobs[:96], 16) }, func(r *Request) { r.Policy.Slash, r.Policy.SlashBPS = 0, 10_000 },
		func(r *Request) { r.Policy.Sampling, r.Policy.SampleSize = ByRange, 1_024 },
	} {
		t.Run("at the bound", func(t *testing.T) {
			r := Request{Blobs: blobs(files()), Policy: policy()}
			same(&r)
			w.try(nil, operator(0), 84*cby, func() error { _, err := w.m.Create(operator(0), digest.Hash{3}, r, 84*cby); return err })
		})
	}
	w.sums()
}

// Spec: storage-cbfs §7 (ProviderCommitment), §9.
func TestSeats(t *testing.T) {
	w := newWorld(t)
	id := w.create(policy())
	accept := func(want error, n int, stake unit.Amount) {
		t.Helper()
		w.try(want, keeper(n), stake, func() error { return w.m.Accept(keeper(n), id, "host:1", stake) })
	}
	w.try(ErrNotFound, keeper(0), 0, func() error { return w.m.Accept(keeper(0), digest.Hash{}, "", 0) })
	w.try(ErrProvider, operator(1), 100*cby, func() error { return w.m.Accept(operator(1), id, "", 100*cby) })
	w.try(ErrTerms, keeper(0), 100*cby, func() error { return w.m.Accept(keeper(0), id, string(make([]byte, 257)), 100*cby) })
	accept(ErrStake, 0, 100*cby-1)
	accept(ErrStake, 0, 100*cby+1)
	accept(nil, 0, 100*cby)
	accept(ErrTaken, 0, 100*cby)
	w.must(w.g.Drain(keeper(1)))
	accept(ErrProvider, 1, 100*cby)
	accept(nil, 2, 100*cby)
	accept(ErrSeat, 3, 100*cby)
	w.try(ErrTaken, operator(0), 0, func() error { return w.m.Cancel(operator(0), id) })
	w.try(ErrAuth, keeper(3), 0, func() error { _, err := w.m.Prove(keeper(3), id, nil); return err })
	w.try(ErrOver, keeper(0), 0, func() error { return w.m.Leave(keeper(0), id) })
	w.epoch(4)
	w.try(cbfs.ErrProofForm, keeper(0), 0, func() error { _, err := w.m.Prove(keeper(0), id, w.answer(id, 0, false)[:1]); return err })
	w.prove(id, 0, true)
	w.epoch(7)
	accept(ErrSeat, 3, 100*cby)
	w.epoch(8)
	accept(ErrOver, 3, 100*cby)
	w.epoch(9)
	w.try(ErrAuth, keeper(3), 0, func() error { return w.m.Leave(keeper(3), id) })
	w.try(nil, keeper(0), 0, func() error { return w.m.Leave(keeper(0), id) })
	w.sums()
	// It proved once, for 14 CBY, and missed two audits, each for 30.
	if got := w.gained(keeper(0)); got != 14*cby-60*cby {
		t.Error(got)
	}
	other := newWorld(t)
	id = other.create(policy())
	other.try(ErrAuth, operator(1), 0, func() error { return other.m.Cancel(operator(1), id) })
	other.try(nil, operator(0), 0, func() error { return other.m.Cancel(operator(0), id) })
	if other.gained(operator(0)) != 0 {
		t.Error("what is cancelled does not come back")
	}
	other.pass(20 * 600)
}

// A range of bytes is answered by the pieces it lies in, which a second reckoning by bytes finds as well; it ends with its blob.
//
// Spec: storage-cbfs §7 (sampling RANGE, CHUNK_INDEX).
func TestWhatIsAsked(t *testing.T) {
	p := policy()
	p.Samples = 4
	r := Request{Blobs: blobs(files()), Policy: p}
	list, err := r.blobs()
	if err != nil {
		t.Fatal(err)
	}
	c := &Contract{Blobs: list, Policy: p}
	seen := map[Place]bool{}
	for n := range byte(100) {
		for _, at := range c.Asked(digest.Hash{n}) {
			seen[at] = true
		}
	}
	if len(seen) != 4 { // three pieces of one blob, one of the other
		t.Error(seen)
	}
	c.Policy.Sampling, c.Policy.SampleSize = ByRange, 1_000
	longest := 0
	for n := range byte(100) {
		asked := c.Asked(digest.Hash{n})
		for i, at := range asked {
			if at.Piece > 2 || at.Blob == 1 && at.Piece > 0 || at.Blob > 1 {
				t.Errorf("%v is not there", at)
			}
			if i > 0 && asked[i-1].Blob == at.Blob && asked[i-1].Piece+1 == at.Piece {
				longest = 2
			}
		}
		if len(asked) < 4 || len(asked) > 8 {
			t.Errorf("%d pieces", len(asked))
		}
	}
	if longest != 2 {
		t.Error("no range lay in two pieces")
	}
}

// counting is a state that counts what is read and written.
type counting struct {
	state.Store
	n int
}

func (c *counting) Lookup(key []byte) ([]byte, bool, error) { c.n++; return c.Store.Lookup(key) }

func (c *counting) Set(key, value []byte) { c.n++; c.Store.Set(key, value) }

func (c *counting) Delete(key []byte) { c.n++; c.Store.Delete(key) }

// The end of a block does as much with 400 contracts, all of whose audits are missed at once, as with 40.
//
// Spec: storage-cbfs §7; WP §7.3.
func TestEndOfABlockIsFlat(t *testing.T) {
	for _, size := range []int{40, 400} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			w := newWorld(t)
			p := policy()
			p.Rate, p.Stake, p.Slash, p.Strikes = 1, 10, 3, 100
			for n := range size {
				w.try(nil, operator(0), 12, func() error {
					id, err := w.m.Create(operator(0), digest.Hash{9, byte(n), byte(n >> 8)}, Request{Blobs: blobs(files()), Policy: p}, 12)
					if err == nil {
						err = errors.Join(account.Move(w.s, keeper(1), Home(), 10), w.m.Accept(keeper(1), id, "", 10))
					}
					return err
				})
			}
			c := &counting{Store: w.s}
			w.m.State, w.g.State = c, c
			most := 0
			for w.m.Height < 20*600 {
				c.n = 0
				w.must(w.m.End())
				most = max(most, c.n)
				w.at(w.m.Height + 1)
			}
			if most > 1_000 { // 32 audits, each with contract, commitment, seed, relay, clock, three accounts and two rows read and written
				t.Errorf("%d reads and writes in a block", most)
			}
			if _, list, err := List(w.s, digest.Hash{}, 1); err != nil || len(list) > 0 {
				t.Errorf("%d contracts are left: %v", len(list), err)
			}
			w.m.State, w.g.State = w.s, w.s
			w.sums()
		})
	}
}
