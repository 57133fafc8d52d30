package market

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Commitment is a runner's to a result it has and does not show yet. Its key has the job and the runner.
//
// Spec: WP §5.3; runner-marketplace §2.7, §5.
type Commitment struct {
	Hash   digest.Hash // keccak256(output ‖ salt)
	Height unit.Height
}

// Encode is the record in state: commitment(32) ‖ UInt height.
func (c *Commitment) Encode() []byte {
	return codec.AppendUint(codec.AppendFixed(nil, c.Hash[:]), uint64(c.Height))
}

// DecodeCommitment reads what Encode wrote.
func DecodeCommitment(data []byte) (*Commitment, error) {
	r, c := codec.NewReader(data), new(Commitment)
	r.Into(c.Hash[:])
	c.Height = unit.Height(r.Uint())
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

// Append appends the canonical encoding: the fields as UInt.
func (u Usage) Append(dst []byte) []byte {
	for _, n := range [...]uint64{uint64(u.InputTokens), uint64(u.OutputTokens), u.WallTimeSeconds, uint64(u.MemoryMB)} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// ReadUsage reads what Append wrote; errors stay in r.
func ReadUsage(r *codec.Reader) Usage { return Usage{r.Uint32(), r.Uint32(), r.Uint(), r.Uint32()} }

// Reveal is the result of one runner. Its key has the job.
//
// Spec: WP §5.3; runner-marketplace §2.6 (RunnerResult), §5.
type Reveal struct {
	Runner      account.Address
	Height      unit.Height // of the block it was revealed in
	Output      []byte      // at most job.MaxResultBytes
	Salt        digest.Hash
	Proof       []byte // runner_sig
	Usage       Usage
	Attestation []byte // of a trusted environment; empty for none
	Source      []byte // of where the data came from; empty for none
	Timestamp   uint64 // milliseconds since 1970, by the runner's word
}

// Encode is the record in state: the fields in their order.
func (v *Reveal) Encode() []byte {
	dst := codec.AppendUint(codec.AppendFixed(nil, v.Runner[:]), uint64(v.Height))
	dst = codec.AppendFixed(codec.AppendBytes(dst, v.Output), v.Salt[:])
	dst = v.Usage.Append(codec.AppendBytes(dst, v.Proof))
	return codec.AppendUint(codec.AppendBytes(codec.AppendBytes(dst, v.Attestation), v.Source), v.Timestamp)
}

// DecodeReveal reads what Encode wrote.
func DecodeReveal(data []byte) (*Reveal, error) {
	r, v := codec.NewReader(data), new(Reveal)
	r.Into(v.Runner[:])
	v.Height, v.Output = unit.Height(r.Uint()), r.Bytes(job.MaxResultBytes)
	r.Into(v.Salt[:])
	v.Proof, v.Usage = r.Bytes(MaxProofBytes), ReadUsage(r)
	v.Attestation, v.Source, v.Timestamp = r.Bytes(MaxProofBytes), r.Bytes(MaxProofBytes), r.Uint()
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
	Slash  []account.Address // runners_to_slash, ascending
	Height unit.Height       // of the block it was verified in
}

// Encode is the record in state: the fields in their order.
func (v *Result) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendBytes(nil, v.Data), uint64(v.Count)), uint64(v.Total))
	dst = appendAddresses(appendAddresses(codec.AppendU8(dst, uint8(v.Mode)), v.Agreed), v.Slash)
	return codec.AppendUint(dst, uint64(v.Height))
}

// DecodeResult reads what Encode wrote.
func DecodeResult(data []byte) (*Result, error) {
	r := codec.NewReader(data)
	v := &Result{Data: r.Bytes(job.MaxResultBytes), Count: r.Uint32(), Total: r.Uint32(), Mode: job.Mode(r.U8())}
	v.Agreed, v.Slash, v.Height = readAddresses(r), readAddresses(r), unit.Height(r.Uint())
	return v, finish(r, "result")
}
