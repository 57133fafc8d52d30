package market

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Commitment is a runner's to a result it has and does not show yet. Its key has the job and the runner.
//
// Spec: WP §5.3; runner-marketplace §2.7, §5.
type Commitment struct {
	Hash    digest.Hash // keccak256(output ‖ salt)
	Height  unit.Height
	Time    uint64 // of the block: seconds since 1970
	Crashed bool   // the runner says that it cannot reveal
}

// Encode is the record in state: commitment(32) ‖ UInt height ‖ UInt time ‖ bool crashed.
func (c *Commitment) Encode() []byte {
	dst := codec.AppendUint(codec.AppendFixed(nil, c.Hash[:]), uint64(c.Height))
	return codec.AppendBool(codec.AppendUint(dst, c.Time), c.Crashed)
}

// DecodeCommitment reads what Encode wrote.
func DecodeCommitment(data []byte) (*Commitment, error) {
	r, c := codec.NewReader(data), new(Commitment)
	r.Into(c.Hash[:])
	c.Height, c.Time, c.Crashed = unit.Height(r.Uint()), r.Uint(), r.Bool()
	return c, finish(r, "commitment")
}

// Usage is what a runner says a job took.
//
// Spec: runner-marketplace §2.6 (ResourceUsage).
type Usage struct {
	InputTokens     uint32
	OutputTokens    uint32
	WallTimeSeconds uint64
	MemoryMB        uint32
}

// Reveal is the result of one runner. Its key has the job.
//
// Spec: WP §5.3; runner-marketplace §2.6 (RunnerResult), §5.
type Reveal struct {
	Runner account.Address
	Height unit.Height // of the block it was revealed in
	Place  uint32      // how many of the attempt were revealed before
	Output []byte      // of a verify.Output
	Salt   digest.Hash
	Proof  sig.Signature // runner_sig
}

// Encode is the record in state: the fields in their order.
func (v *Reveal) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendFixed(nil, v.Runner[:]), uint64(v.Height)), uint64(v.Place))
	return codec.AppendFixed(codec.AppendFixed(codec.AppendBytes(dst, v.Output), v.Salt[:]), v.Proof[:])
}

// DecodeReveal reads what Encode wrote.
func DecodeReveal(data []byte) (*Reveal, error) {
	r, v := codec.NewReader(data), new(Reveal)
	r.Into(v.Runner[:])
	v.Height, v.Place, v.Output = unit.Height(r.Uint()), r.Uint32(), r.Bytes(verify.MaxOutputBytes)
	r.Into(v.Salt[:])
	r.Into(v.Proof[:])
	return v, finish(r, "reveal")
}

// Result is what the chain takes a job's result to be.
//
// Spec: runner-marketplace §2.6 (VerifiedResult).
type Result struct {
	Data   []byte
	Count  uint32 // runners that agree (consensus_count)
	Total  uint32 // runners that revealed
	Mode   job.Mode
	Agreed []account.Address // those who are paid, ascending
	Slash  []account.Address // runners_to_slash, ascending: a challenge against them was right
	Height unit.Height       // of the block it was verified in
	// Outcome is what they agree on: Data, or why there are none.
	Outcome verify.Outcome
	Price   unit.Amount // what the job costs
}

// Encode is the record in state: the fields in their order.
func (v *Result) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendBytes(nil, v.Data), uint64(v.Count)), uint64(v.Total))
	dst = appendAddresses(appendAddresses(codec.AppendU8(dst, uint8(v.Mode)), v.Agreed), v.Slash)
	dst = codec.AppendU8(codec.AppendUint(dst, uint64(v.Height)), uint8(v.Outcome))
	return codec.AppendUint(dst, uint64(v.Price))
}

// DecodeResult reads what Encode wrote.
func DecodeResult(data []byte) (*Result, error) {
	r := codec.NewReader(data)
	v := &Result{Data: r.Bytes(job.MaxResultBytes), Count: r.Uint32(), Total: r.Uint32(), Mode: job.Mode(r.U8())}
	v.Agreed, v.Slash, v.Height = readAddresses(r), readAddresses(r), unit.Height(r.Uint())
	v.Outcome, v.Price = verify.Outcome(r.U8()), unit.Amount(r.Uint())
	return v, finish(r, "result")
}
