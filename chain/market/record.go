package market

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of records.
const (
	MaxReasonBytes = 64
	MaxCandidates  = 16_384
	maxMembers     = 64 // of a committee, and more than params.CommitteeMax times the attempts
)

// Status is where a job is in its life.
//
// Spec: runner-marketplace §2.6, §5.
type Status uint8

// The statuses. The first five have no verified result yet; the last three are the end.
const (
	AwaitingSeed  Status = iota // its committee is drawn from the seed of a round to come
	Assigned                    // its runners work, none has committed itself
	Executing                   // some runners have committed themselves
	Revealing                   // those who have committed themselves reveal
	Verifying                   // what was revealed is judged
	Challengeable               // there is a verified result, which is not paid for yet
	Completed                   // paid for
	Failed                      // ended without a verified result; what was held went back
	Cancelled                   // by its submitter, before runners were assigned
	statuses
)

// String is the status as clients have it.
//
// Spec: runner-marketplace §2.6.
func (s Status) String() string {
	return [...]string{
		"AwaitingSeed", "Assigned", "Executing", "Revealing", "Verifying", "Challengeable", "Completed", "Failed", "Cancelled",
	}[s]
}

// Ended reports whether nothing more becomes of the job.
func (s Status) Ended() bool { return s >= Completed }

// Working reports whether runners are at it: selected, and counted as busy with it.
func (s Status) Working() bool { return s >= Assigned && s <= Verifying }

// Reasons a job failed for, besides those a Verifier gives.
const (
	ReasonTimeout   = "timeout"            // no attempt gave a result in time
	ReasonNoRunners = "NO_CAPABLE_RUNNERS" // too few runners can do what another attempt needs
	// ReasonChallenged is that of a job whose result a challenge undid.
	ReasonChallenged = "challenged"
)

// Job is what changes of a job.
//
// Spec: runner-marketplace §2.6, §5.
type Job struct {
	Status    Status
	Kind      job.Kind
	Submitter account.Address
	Source    digest.Hash // the transaction or the message that submitted it
	Submitted unit.Height
	Time      uint64      // of the block of its submission: seconds since 1970
	Escrow    unit.Amount // held for it: max_price and tip, until it ends
	Timeout   uint64      // blocks of an attempt
	Dispute   uint64      // blocks between the verified result and its payment
	Retries   uint32      // attempts after the first that it may have
	Members   uint32      // M of its committee
	Threshold uint32      // N of them
	Attempt   uint32      // 0 is the first
	Round     sig.Round   // AwaitingSeed: of the seed
	Assigned  unit.Height // of the attempt
	Deadline  unit.Height // the last block commitments are taken in; from Revealing on, reveals
	Due       unit.Height // the block at whose end something becomes of it; 0 while it awaits a seed and nothing else
	Until     unit.Height // whoever awaits it takes no answer in this block or later; 0: whenever
	Committed uint32      // of the attempt
	Revealed  uint32
	Ended     unit.Height // Completed, Failed and Cancelled: when
	Reason    string      // Failed: why
	Trimmed   bool        // what is long of it was deleted
}

// Encode is the record in state: the fields in their order, numbers as UInt.
func (j *Job) Encode() []byte {
	dst := codec.AppendU8(codec.AppendU8(nil, uint8(j.Status)), uint8(j.Kind))
	dst = codec.AppendFixed(codec.AppendFixed(dst, j.Submitter[:]), j.Source[:])
	for _, n := range [...]uint64{
		uint64(j.Submitted), j.Time, uint64(j.Escrow), j.Timeout, j.Dispute, uint64(j.Retries), uint64(j.Members), uint64(j.Threshold), uint64(j.Attempt),
		j.Round.Epoch, j.Round.View, uint64(j.Assigned), uint64(j.Deadline), uint64(j.Due), uint64(j.Until), uint64(j.Committed), uint64(j.Revealed),
		uint64(j.Ended),
	} {
		dst = codec.AppendUint(dst, n)
	}
	return codec.AppendBool(codec.AppendBytes(dst, []byte(j.Reason)), j.Trimmed)
}

// DecodeJob reads what Encode wrote.
func DecodeJob(data []byte) (*Job, error) {
	r, j := codec.NewReader(data), new(Job)
	j.Status, j.Kind = Status(r.Tag(uint8(statuses))), job.Kind(r.U8())
	r.Into(j.Submitter[:])
	r.Into(j.Source[:])
	j.Submitted, j.Time, j.Escrow, j.Timeout, j.Dispute = unit.Height(r.Uint()), r.Uint(), unit.Amount(r.Uint()), r.Uint(), r.Uint()
	j.Retries, j.Members, j.Threshold, j.Attempt = r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()
	j.Round = sig.Round{Epoch: r.Uint(), View: r.Uint()}
	j.Assigned, j.Deadline, j.Due, j.Until = unit.Height(r.Uint()), unit.Height(r.Uint()), unit.Height(r.Uint()), unit.Height(r.Uint())
	j.Committed, j.Revealed, j.Ended = r.Uint32(), r.Uint32(), unit.Height(r.Uint())
	j.Reason, j.Trimmed = string(r.Bytes(MaxReasonBytes)), r.Bool()
	return j, finish(r, "job")
}

// Selection is whom a job was given to, and how they were drawn.
//
// Spec: runner-marketplace §2.8.
type Selection struct {
	CandidateRoot digest.Hash // Merkle root over the addresses of the candidates, ascending
	Seed          digest.Hash // of the first attempt
	Round         sig.Round   // whose beacon the seed was made of
	Members       uint32      // M
	Threshold     uint32      // N
	Selected      []account.Address
	Aggregator    account.Address
	Attempt       uint32            // 0 is the first (retry_count)
	Excluded      []account.Address // silent in an attempt before, ascending
}

// Encode is the record in state: the fields in their order.
func (s *Selection) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, s.CandidateRoot[:]), s.Seed[:])
	dst = s.Round.Append(dst)
	dst = codec.AppendUint(codec.AppendUint(dst, uint64(s.Members)), uint64(s.Threshold))
	dst = codec.AppendFixed(appendAddresses(dst, s.Selected), s.Aggregator[:])
	return appendAddresses(codec.AppendUint(dst, uint64(s.Attempt)), s.Excluded)
}

// DecodeSelection reads what Encode wrote.
func DecodeSelection(data []byte) (*Selection, error) {
	r, s := codec.NewReader(data), new(Selection)
	r.Into(s.CandidateRoot[:])
	r.Into(s.Seed[:])
	s.Round = sig.ReadRound(r)
	s.Members, s.Threshold, s.Selected = r.Uint32(), r.Uint32(), readAddresses(r)
	r.Into(s.Aggregator[:])
	s.Attempt, s.Excluded = r.Uint32(), readAddresses(r)
	return s, finish(r, "selection")
}

// Place is where in the committee a runner is; -1 for one that is not selected.
func (s *Selection) Place(runner account.Address) int {
	for i, a := range s.Selected {
		if a == runner {
			return i
		}
	}
	return -1
}

func appendAddresses(dst []byte, list []account.Address) []byte {
	dst = codec.AppendLen(dst, len(list))
	for _, a := range list {
		dst = codec.AppendFixed(dst, a[:])
	}
	return dst
}

func readAddresses(r *codec.Reader) []account.Address {
	n := r.Len(0, maxMembers, account.AddressSize)
	if n == 0 {
		return nil
	}
	list := make([]account.Address, n)
	for i := range list {
		r.Into(list[i][:])
	}
	return list
}

// candidates are those a job may be given to, ascending by address, frozen in the block of its submission until the draw.
//
// Spec: CIP-2 §4; runner-marketplace §4.1.
type candidates []job.Candidate

// Encode is the record in state: list of address(20) ‖ weight(16).
func (c candidates) Encode() []byte {
	dst := codec.AppendLen(nil, len(c))
	for i := range c {
		dst = c[i].Weight.AppendBig(codec.AppendFixed(dst, c[i].Address[:]))
	}
	return dst
}

func decodeCandidates(data []byte) (candidates, error) {
	r := codec.NewReader(data)
	list := make(candidates, r.Len(0, MaxCandidates, account.AddressSize+unit.Uint128Size))
	for i := range list {
		var weight [unit.Uint128Size]byte
		r.Into(list[i].Address[:])
		r.Into(weight[:])
		list[i].Weight = unit.Uint128FromBig(weight)
	}
	return list, finish(r, "candidates")
}

// Caller is whom a job's end is told to.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §2.1 (CallbackInfo), §5 (callback).
type Caller struct {
	Actor  account.Address
	Origin digest.Hash // whose pool the answer runs on; it counts the job as pending
	Fields []byte      // canonical CBOR of a map: what of the answer repeats what was asked (cid, reply_handler, correlation_id, context)
}

// Encode is the record in state: the fields in their order.
func (c *Caller) Encode() []byte {
	return codec.AppendBytes(codec.AppendFixed(codec.AppendFixed(nil, c.Actor[:]), c.Origin[:]), c.Fields)
}

// DecodeCaller reads what Encode wrote.
func DecodeCaller(data []byte) (*Caller, error) {
	r, c := codec.NewReader(data), new(Caller)
	r.Into(c.Actor[:])
	r.Into(c.Origin[:])
	c.Fields = r.Bytes(mailbox.PayloadMax)
	return c, finish(r, "caller")
}

// Answer is what whoever awaits a job is told, until its actor's mailbox has room for it.
type Answer struct {
	Actor   account.Address
	Origin  digest.Hash
	Payload []byte // the result map, canonical CBOR
	Tries   uint32 // that found no room
}

// Encode is the record in state: the fields in their order.
func (a *Answer) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, a.Actor[:]), a.Origin[:])
	return codec.AppendUint(codec.AppendBytes(dst, a.Payload), uint64(a.Tries))
}

// DecodeAnswer reads what Encode wrote.
func DecodeAnswer(data []byte) (*Answer, error) {
	r, a := codec.NewReader(data), new(Answer)
	r.Into(a.Actor[:])
	r.Into(a.Origin[:])
	a.Payload, a.Tries = r.Bytes(mailbox.PayloadMax), r.Uint32()
	return a, finish(r, "answer")
}

func finish(r *codec.Reader, record string) error {
	if err := r.Finish(); err != nil {
		return fmt.Errorf("market: %s: %w", record, err)
	}
	return nil
}
