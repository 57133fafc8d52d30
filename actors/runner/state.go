package runner

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Rules of sending again, in blocks and tries.
const (
	resendAfter    = 5
	requeueAfter   = 60 // behind the job's wall time, a second being a block
	heartbeatEvery = 40 // of the 100 blocks after which a runner counts as gone; Spec: runner-marketplace §11
	MaxTries       = 3  // of a job that fails and may pass
	DefaultMaxOpen = 1_000
	// unseenMost is how long a job may be open that the runner's node does not show and that is not committed to, in blocks; unshownMost bounds such jobs.
	unseenMost  = 30
	unshownMost = 64
	pastBlocks  = 100 // in which a job that is over is known, to validators that are behind
)

// entry is an open job.
type entry struct {
	spec   []byte
	queue  string
	try    uint64
	result *verify.Reveal
	said   [2]bool   // in the journal: the commitment and the reveal are sent
	sent   [2]uint64 // the height at which they were sent last; 0 for not by this instance
	queued bool      // by this instance
	putAt  uint64    // the height at which it was
	at     *Assignment
	told   bool   // by a validator, and not yet shown by the runner's node
	unseen uint64 // the height of the first poll that did not show it; 0: none
	begun  bool   // by a worker that said so
	hushed bool   // what workers say in words stays here
	// fraction and detail are what a worker told last of how far it is.
	fraction uint8
	detail   string
	hand     hand
	others   map[account.Address]*other // what others of the committee handed over
	excusing bool                       // in the journal: that there is nothing to reveal is sent
	excused  uint64                     // the height at which it was sent last; 0 for not by this instance
}

// book is what the journal says: the open jobs, and those that ended and that the chain may still list.
type book struct {
	open  map[digest.Hash]*entry
	ended map[digest.Hash]string
}

func newBook() *book { return &book{map[digest.Hash]*entry{}, map[digest.Hash]string{}} }

// errRecord reports a record that cannot follow those before it.
var errRecord = errors.New("a record contradicts an earlier one")

// take applies a record.
func (b *book) take(r *record) error {
	e := b.open[r.id]
	_, over := b.ended[r.id]
	switch r.what {
	case wasAssigned:
		if e != nil || over {
			return errRecord
		}
		b.open[r.id] = &entry{spec: r.body}
		return nil
	case wasForgotten:
		if !over {
			return errRecord
		}
		delete(b.ended, r.id)
		return nil
	case hasEnded:
		delete(b.open, r.id)
		b.ended[r.id] = string(r.body)
		return nil
	}
	switch {
	case e == nil, r.what == hasResult && e.result != nil, r.what != hasResult && r.what != isExcusing && e.result == nil:
		return errRecord
	case r.what == hasResult:
		e.result = &verify.Reveal{Output: r.body, Salt: r.salt, Proof: r.sign}
	case r.what == isExcusing:
		e.excusing = true
	case r.what == wasHanded, r.what == isPosting:
		return e.takeOther(r)
	default:
		e.said[r.what-isCommitting] = true
	}
	return nil
}

// needed are the records that make this book.
func (b *book) needed() (list []record) {
	for _, id := range b.ids() {
		e := b.open[id]
		list = append(list, record{what: wasAssigned, id: id, body: e.spec})
		if e.result != nil {
			list = append(list, record{what: hasResult, id: id, body: e.result.Output, salt: e.result.Salt, sign: e.result.Proof})
		}
		for i, said := range e.said {
			if said {
				list = append(list, record{what: isCommitting + uint8(i), id: id})
			}
		}
		if e.excusing {
			list = append(list, record{what: isExcusing, id: id})
		}
		list = e.neededOthers(id, list)
	}
	for _, id := range sorted(b.ended) {
		list = append(list, record{what: hasEnded, id: id, body: []byte(b.ended[id])})
	}
	return list
}

func (b *book) ids() []digest.Hash { return sorted(b.open) }

// known are all jobs in the book.
func (b *book) known() []digest.Hash { return append(sorted(b.open), sorted(b.ended)...) }

func sorted[V any](m map[digest.Hash]V) []digest.Hash {
	list := make([]digest.Hash, 0, len(m))
	for id := range m { // order-free: sorted below
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b digest.Hash) int { return bytes.Compare(a[:], b[:]) })
	return list
}

// What leaves the dispatcher.
type (
	// putting is a job for the workers.
	putting struct {
		queue, key string
		data       []byte
	}
	// committing, revealing and crashing are transactions.
	committing struct{ id, commitment digest.Hash }
	revealing  struct {
		id     digest.Hash
		reveal *verify.Reveal
	}
	crashing struct {
		id     digest.Hash
		signal verify.Crash
	}
	beating struct{ accepting bool }
)

// state is what the dispatcher decides by. It is told what happens, adds records to be synced, and then says what is to be done.
type state struct {
	*book
	key      *sig.PrivateKey
	fleet    []string // capabilities
	maxOpen  int
	hands    bool        // it has a way to aggregators
	collects *Collecting // nil: it takes no reveals of others
	draining bool
	height   uint64
	beat     uint64 // the height of the last heartbeat
	beatSaid bool   // what it said
	parted   bool   // a heartbeat that says that no more jobs are taken was sent, or tried to
	records  []record
	acts     []any
	endings  []ending
	tell     []Event                // what else an operator is told
	hurried  bool                   // it is worth a poll
	kept     uint64                 // reveals of others that were taken
	taken    [2]uint64              // jobs that came by polls, and that were pushed
	past     map[digest.Hash]uint64 // jobs that are forgotten, and the height at which they were
}

// ending is what is told of a job that ended.
type ending struct {
	id  digest.Hash
	why string
}

// note records a decision. It contradicts none: the book was asked before.
func (d *state) note(r record) {
	if err := d.take(&r); err != nil {
		panic(fmt.Errorf("runner: job %s: %w", r.id, err))
	}
	d.records = append(d.records, r)
	if r.what == wasForgotten {
		if d.past == nil {
			d.past = map[digest.Hash]uint64{}
		}
		d.past[r.id] = d.height
	}
}

func (d *state) end(id digest.Hash, why string) {
	d.note(record{what: hasEnded, id: id, body: []byte(why[:min(len(why), maxWhy)])})
	d.endings = append(d.endings, ending{id, why})
}

// polled is told what the chain says.
func (d *state) polled(v View) {
	if v.Height < d.height {
		return // of a node that is behind
	}
	d.height = v.Height
	shown := map[digest.Hash]bool{}
	for i := range v.Jobs {
		shown[v.Jobs[i].ID] = true
		a := &v.Jobs[i]
		_, over := d.ended[a.ID]
		e := d.open[a.ID]
		switch {
		case a.Stage == Over && e != nil:
			d.end(a.ID, "the chain wants nothing more of it")
			d.note(record{what: wasForgotten, id: a.ID})
		case a.Stage == Over && over:
			d.note(record{what: wasForgotten, id: a.ID})
		case a.Stage == Over || over:
		case e != nil && e.told && len(a.Spec) > 0 && !bytes.Equal(a.Spec, e.spec):
			d.end(a.ID, "a validator told another specification")
			d.note(record{what: wasForgotten, id: a.ID})
			if a.Stage == Working {
				d.assigned(a)
			}
		case e != nil:
			e.at, e.told = a, false
			d.advance(a.ID, e)
			d.post(a.ID, e)
		case (a.Stage == Working && !d.draining || a.Committed && !a.Revealed) && len(d.open) < d.maxOpen:
			d.assigned(a)
		}
	}
	d.unseen(shown)
	for id, at := range d.past { // order-free: each by itself
		if d.height >= at+pastBlocks {
			delete(d.past, id)
		}
	}
	if accepting := !d.draining; d.beat == 0 || d.height >= d.beat+heartbeatEvery || accepting != d.beatSaid {
		d.beat, d.beatSaid = max(d.height, 1), accepting
		d.acts = append(d.acts, beating{accepting})
	}
}

// unseen gives up jobs that the runner's node does not show, unless they are committed to: nobody asks for them, or a validator lied.
func (d *state) unseen(shown map[digest.Hash]bool) {
	for _, id := range d.ids() {
		switch e := d.open[id]; {
		case shown[id] || e.at != nil || e.said[0]:
			e.unseen = 0
		case e.unseen == 0:
			e.unseen = max(d.height, 1)
		case d.height >= e.unseen+unseenMost:
			d.end(id, "the chain does not show it")
			d.note(record{what: wasForgotten, id: id})
		}
	}
}

// pushed takes on a job that a validator brings. It is worked on at once; what comes of it is committed to when the runner's node shows the same job.
//
// Spec: runner-marketplace §9.3 (JobAssignment, JobAck).
func (d *state) pushed(a *protocol.Assignment) verdict {
	_, over := d.ended[a.ID]
	if _, past := d.past[a.ID]; past || over || d.open[a.ID] != nil {
		return verdict{status: protocol.Duplicate}
	}
	unshown := 0
	for _, e := range d.open { // order-free: counted
		if e.told {
			unshown++
		}
	}
	spec, err := job.Decode(a.Spec)
	if err == nil && spec.ID != a.ID {
		err = job.ErrSpec
	}
	var queue string
	if err == nil {
		queue, err = Capability(spec, d.fleet)
	}
	switch {
	case err != nil:
		return verdict{protocol.Rejected, err.Error()}
	case d.draining:
		return verdict{protocol.Rejected, "draining"}
	case len(d.open) >= d.maxOpen || unshown >= unshownMost:
		return verdict{protocol.Rejected, "full"}
	case a.Deadline <= d.height:
		return verdict{protocol.Rejected, "too late"}
	}
	d.note(record{what: wasAssigned, id: a.ID, body: a.Spec})
	e := d.open[a.ID]
	e.told, e.queue = true, queue
	d.taken[1]++
	d.enqueue(a.ID, e)
	return verdict{status: protocol.Accepted}
}

// assigned takes a job on.
func (d *state) assigned(a *Assignment) {
	d.taken[0]++
	d.note(record{what: wasAssigned, id: a.ID, body: a.Spec})
	if a.Committed && a.Revealed {
		d.end(a.ID, "somebody else with this runner's key, or an earlier journal, did it")
		return
	}
	e := d.open[a.ID]
	e.at = a
	d.advance(a.ID, e)
}

// advance does what is next for a job.
func (d *state) advance(id digest.Hash, e *entry) {
	a := e.at
	switch {
	case a == nil && e.told && e.result == nil:
		d.enqueue(id, e)
	case a == nil:
	case e.unable():
		d.excuse(id, e, verify.OtherCrash)
	case d.height > a.Deadline, e.result == nil && a.Stage != Working:
		d.end(id, "too late")
	case e.result == nil:
		d.enqueue(id, e)
	case a.Revealed: // it stays open: where others were silent the chain may ask for it once more
	case a.Stage == Working && !a.Committed:
		d.send(id, e, isCommitting, committing{id, verify.Commitment(e.result.Output, e.result.Salt)})
		if alone(e.spec) {
			d.reveal(id, e)
		}
	case a.Stage == Revealing && a.Committed:
		if d.handsOver(id, e) {
			return
		}
		if d.reveal(id, e); d.unproven(e) {
			d.excuse(id, e, verify.AttestationLost)
		}
	case a.Stage == Revealing:
		d.end(id, "too late to commit")
	}
}

func (d *state) reveal(id digest.Hash, e *entry) {
	reveal := *e.result
	reveal.Runner = d.key.Address()
	d.send(id, e, isRevealing, revealing{id, &reveal})
}

// alone reports whether a job has one runner: nobody can copy what it reveals, so it need not wait until its commitment is in a block.
//
// Spec: runner-marketplace §2.4, §4.2 (M is 1), §5.
func alone(spec []byte) bool {
	s, err := job.Decode(spec)
	return err == nil && s.Verification.Mode <= job.ModeEconomicBond
}

// send sends what the journal has; again if it does not show after some blocks.
func (d *state) send(id digest.Hash, e *entry, what uint8, act any) {
	i := what - isCommitting
	if e.sent[i] > 0 && d.height < e.sent[i]+resendAfter {
		return
	}
	if !e.said[i] {
		d.note(record{what: what, id: id})
	}
	e.sent[i] = max(d.height, 1)
	d.acts = append(d.acts, act)
}

// enqueue puts a job into its queue, once for each try and each life of the dispatcher, and again when it should long be done: queues give up on jobs that
// workers die of.
func (d *state) enqueue(id digest.Hash, e *entry) {
	if e.queued && d.height < e.putAt+requeueAfter {
		return
	}
	spec, err := job.Decode(e.spec)
	if err == nil && e.queued && d.height < e.putAt+requeueAfter+spec.Bounds.MaxWallTimeSeconds {
		return
	}
	if err == nil {
		e.queue, err = Capability(spec, d.fleet)
	}
	if err != nil {
		d.end(id, err.Error())
		return
	}
	e.queued, e.putAt, e.hushed = true, d.height, hushed(spec)
	t := task{id, e.try, e.spec}
	d.acts = append(d.acts, putting{e.queue, fmt.Sprintf("%s-%d-%d", id.Hex(), e.try, d.height), t.append(nil)})
}

// lost is told that a queue did not take a job: it is put again with the next poll.
func (d *state) lost(id digest.Hash) {
	if e := d.open[id]; e != nil {
		e.queued = false
	}
}

// unsent is told that no node took a transaction: it is sent again with the next poll.
func (d *state) unsent(id digest.Hash, what uint8) {
	if e := d.open[id]; e != nil {
		e.sent[what-isCommitting] = 0
	}
}

// finished is told what a worker made of a job. A result behind the first one changes nothing.
func (d *state) finished(r *done, now uint64) {
	e := d.open[r.id]
	if e == nil || e.result != nil {
		return
	}
	output := r.body
	if r.failed {
		switch {
		case r.kind == work.Refused:
			d.end(r.id, "refused: "+string(r.body))
			return
		case r.kind == work.Transient && r.try < e.try:
			return // of an earlier try
		case r.kind == work.Transient && e.try+1 < MaxTries:
			e.try, e.queued = e.try+1, false
			d.advance(r.id, e)
			return
		}
		output = failure(r.kind, now)
	}
	made := verify.Sign(d.key, r.id, output)
	d.note(record{what: hasResult, id: r.id, body: output, salt: made.Salt, sign: made.Proof})
	d.hurried = d.hurried || e.at == nil
	d.advance(r.id, e)
}

// progressed is told how far a worker of a queue is with a job, and gives what validators may hear; false where the job is not at work there.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func (d *state) progressed(queue string, data []byte) (n note, ok bool) {
	n, err := readNote(data)
	if err != nil {
		return n, false
	}
	e := d.open[n.id]
	if e == nil || !e.queued || e.result != nil || e.queue != queue {
		return n, false
	}
	if e.hushed {
		n.detail = ""
	}
	e.begun, e.fraction, e.detail = true, n.fraction, n.detail
	return n, true
}

// hushed reports whether the words of who works on a job might tell what others must not know: a result before it is revealed, which another of the committee
// could copy, or a secret.
//
// Spec: runner-marketplace §5 (commitments).
func hushed(spec *job.Spec) bool {
	return spec.Verification.Mode > job.ModeEconomicBond || len(spec.Secrets) > 0 || len(spec.Volumes) > 0
}
