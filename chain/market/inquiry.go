package market

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// ErrAsked is what a Verifier's Judge gives when it has asked the actor of a check (Inquire): the job is judged again when the actor has ruled, or at the
// deadline of the question. It is no reject.
var ErrAsked = errors.New("market: the actor of a check is asked")

// Inquiry is what actors of checks are asked about an attempt's results, and what they said.
//
// Spec: WP-January "SDK Verifier Functions" (custom); runner-marketplace §2.3.
type Inquiry struct {
	Rulings []verify.Ruling   // of the actors' checks, in their order
	Place   uint32            // of the check that is asked now, among all checks of the job
	Tries   uint32            // questions about it so far; 0: none is open
	Runners []account.Address // whose results it is asked about, ascending
}

// Encode is the record in state: list of (ruling(1) ‖ option Bytes canonical_output) ‖ UInt place ‖ UInt tries ‖ list of addresses.
func (q *Inquiry) Encode() []byte {
	dst := codec.AppendLen(nil, len(q.Rulings))
	for _, r := range q.Rulings {
		dst = codec.AppendU8(dst, uint8(r.Word))
		if dst = codec.AppendBool(dst, r.Canonical != nil); r.Canonical != nil {
			dst = codec.AppendBytes(dst, r.Canonical)
		}
	}
	return appendAddresses(codec.AppendUint(codec.AppendUint(dst, uint64(q.Place)), uint64(q.Tries)), q.Runners)
}

// DecodeInquiry reads what Encode wrote.
func DecodeInquiry(data []byte) (*Inquiry, error) {
	in, q := codec.NewReader(data), new(Inquiry)
	for n := in.Len(0, verify.MaxCustom, 2); n > 0; n-- {
		r := verify.Ruling{Word: verify.Word(in.Tag(verify.Words))}
		if in.Option() {
			r.Canonical = append([]byte{}, in.Bytes(job.MaxResultBytes)...)
		}
		q.Rulings = append(q.Rulings, r)
	}
	q.Place, q.Tries, q.Runners = in.Uint32(), in.Uint32(), readAddresses(in)
	return q, finish(in, "inquiry")
}

// LoadInquiry reads what actors of checks are asked and said in the present attempt; nil where none was asked.
func LoadInquiry(r state.Reader, id digest.Hash) (*Inquiry, error) {
	return state.Find(r, of(underInquiry, id), DecodeInquiry)
}

// Inquire keeps a question to the actor of a check, for the end of the block to send. It is asked three times at most, until the actor has ruled; then, and
// where whoever awaits the job takes no answer any more, the check has no answer, which is the job's own fault. It gives ErrAsked, or nil with the last.
//
// Spec: WP-January "SDK Verifier Functions" (custom).
func (m *Market) Inquire(t *Task, q *Inquiry) error {
	if q.Tries >= params.CheckTries || m.given(t.Job) {
		q.Rulings, q.Tries = append(q.Rulings, verify.Ruling{Word: verify.Faulted}), 0
		m.State.Set(of(underInquiry, t.ID), q.Encode())
		return nil
	}
	q.Tries++
	m.State.Set(of(underInquiry, t.ID), q.Encode())
	m.Asked = append(m.Asked, t)
	return ErrAsked
}

// Questioned reads a job with a question that is open. Rejects: ErrUnknown, ErrStatus.
func (m *Market) Questioned(id digest.Hash) (*Task, *Inquiry, error) {
	t, err := m.Open(id)
	if err != nil {
		return nil, nil, err
	}
	q, err := LoadInquiry(m.State, id)
	if err == nil && (q == nil || q.Tries == 0 || t.Job.Status != Verifying) {
		err = ErrStatus
	}
	return t, q, err
}

// Rule keeps what the actor of a check said. The end of this block judges the job again.
//
// Spec: WP-January "SDK Verifier Functions" (custom).
func (m *Market) Rule(t *Task, q *Inquiry, r verify.Ruling) {
	q.Rulings, q.Tries = append(q.Rulings, r), 0
	m.State.Set(of(underInquiry, t.ID), q.Encode())
	m.schedule(t, m.Height)
	m.save(t)
}
