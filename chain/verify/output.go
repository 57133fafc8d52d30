package verify

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Bounds of an output.
const (
	MaxOutputBytes   = 64 << 10 // of the whole encoding; Spec: WP §5.4 (on-chain return data)
	MaxURLBytes      = 4 << 10
	MaxHeaders       = 16
	MaxHeaderBytes   = 256
	MaxEvidenceBytes = 16 << 10 // of a TEE attestation
	MaxEmbedding     = 1_024    // numbers of an embedding
)

// Outcome is how a job went, as its runner says.
//
// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2.
type Outcome uint8

// The outcomes. A runner that is at fault itself says nothing.
const (
	Success    Outcome = iota
	Impossible         // the bounds are too tight
	ActorFault         // the input is malformed
	External           // the source or the model is not there
	outcomes
)

// String names the outcome.
func (o Outcome) String() string {
	return [...]string{"success", "impossible", "actor_fault", "external_fault"}[o]
}

// Usage is what a runner says it used (ResourceUsage).
//
// Spec: runner-marketplace §2.6.
type Usage struct {
	InputTokens     uint32 `json:"input_tokens"`
	OutputTokens    uint32 `json:"output_tokens"`
	WallTimeSeconds uint64 `json:"wall_time_seconds"`
	MemoryMB        uint32 `json:"memory_mb"`
}

// Header is a header of a source's answer.
type Header struct{ Name, Value string }

// Source is where the data of an HTTP job came from (SourceAttestation).
//
// Spec: runner-marketplace §2.6; WP-January "Source Attestation".
type Source struct {
	FetchedAt    uint64 // seconds since 1970
	URL          string
	Status       uint16
	ResponseHash digest.Hash
	Certificate  *digest.Hash // fingerprint of the server's certificate
	Headers      []Header     // strictly ascending by name
}

// Embedding is a vector of a text's meaning, its numbers rounded to integers of one or two bytes by the runner.
//
// Spec: runner-marketplace §14 (12).
type Embedding struct {
	Wide   bool // two bytes a number
	Values []int16
}

// Output is what a runner reveals of a job: the result, or why there is none (RunnerResult).
//
// Spec: runner-marketplace §2.6; WP §5.4.
type Output struct {
	Outcome   Outcome
	Done      uint64 // of an outcome that is no success: the work done of the work there was
	Total     uint64
	Data      []byte
	Usage     Usage
	Timestamp uint64 // seconds since 1970
	TEE       []byte // tee_attestation; nil for none
	Source    *Source
	Embedding *Embedding
}

// Append appends the canonical encoding: outcome(1) ‖ UInt done ‖ UInt total ‖ Bytes data ‖ four UInt of usage ‖ UInt timestamp ‖ option Bytes of the
// attestation ‖ option source ‖ option embedding.
func (o *Output) Append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendUint(codec.AppendU8(dst, uint8(o.Outcome)), o.Done), o.Total)
	dst = codec.AppendBytes(dst, o.Data)
	u := o.Usage
	for _, n := range [...]uint64{uint64(u.InputTokens), uint64(u.OutputTokens), u.WallTimeSeconds, uint64(u.MemoryMB), o.Timestamp} {
		dst = codec.AppendUint(dst, n)
	}
	if dst = codec.AppendBool(dst, o.TEE != nil); o.TEE != nil {
		dst = codec.AppendBytes(dst, o.TEE)
	}
	if dst = codec.AppendBool(dst, o.Source != nil); o.Source != nil {
		dst = o.Source.Append(dst)
	}
	if dst = codec.AppendBool(dst, o.Embedding != nil); o.Embedding != nil {
		dst = o.Embedding.Append(dst)
	}
	return dst
}

// Append appends UInt fetch_timestamp ‖ Bytes url ‖ http_status(2) ‖ response_hash(32) ‖ option fingerprint(32) ‖ list of Bytes name ‖ Bytes value.
func (s *Source) Append(dst []byte) []byte {
	dst = codec.AppendBytes(codec.AppendUint(dst, s.FetchedAt), []byte(s.URL))
	dst = codec.AppendFixed(codec.AppendU16(dst, s.Status), s.ResponseHash[:])
	if dst = codec.AppendBool(dst, s.Certificate != nil); s.Certificate != nil {
		dst = codec.AppendFixed(dst, s.Certificate[:])
	}
	dst = codec.AppendLen(dst, len(s.Headers))
	for _, h := range s.Headers {
		dst = codec.AppendBytes(codec.AppendBytes(dst, []byte(h.Name)), []byte(h.Value))
	}
	return dst
}

// Append appends bool wide ‖ list of the numbers, one byte or two in two's complement.
func (e *Embedding) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendBool(dst, e.Wide), len(e.Values))
	for _, v := range e.Values {
		if e.Wide {
			dst = codec.AppendU16(dst, uint16(v))
		} else {
			dst = codec.AppendU8(dst, uint8(v))
		}
	}
	return dst
}

// DecodeOutput reads what Append wrote. An error is of ErrOutput.
func DecodeOutput(data []byte) (*Output, error) {
	if len(data) > MaxOutputBytes {
		return nil, fmt.Errorf("%w: %d bytes, and there may be %d", ErrOutput, len(data), MaxOutputBytes)
	}
	r := codec.NewReader(data)
	o := &Output{Outcome: Outcome(r.Tag(uint8(outcomes))), Done: r.Uint(), Total: r.Uint()}
	o.Data = append([]byte{}, r.Bytes(job.MaxResultBytes)...)
	o.Usage = Usage{InputTokens: r.Uint32(), OutputTokens: r.Uint32(), WallTimeSeconds: r.Uint(), MemoryMB: r.Uint32()}
	o.Timestamp = r.Uint()
	if r.Option() {
		o.TEE = append([]byte{}, r.Bytes(MaxEvidenceBytes)...)
	}
	if r.Option() {
		o.Source = readSource(r)
	}
	if r.Option() {
		o.Embedding = readEmbedding(r)
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return o, o.check()
}

func readSource(r *codec.Reader) *Source {
	s := &Source{FetchedAt: r.Uint(), URL: readText(r, MaxURLBytes), Status: r.U16()}
	r.Into(s.ResponseHash[:])
	if r.Option() {
		s.Certificate = new(digest.Hash)
		r.Into(s.Certificate[:])
	}
	for n := r.Len(0, MaxHeaders, 2); n > 0; n-- {
		s.Headers = append(s.Headers, Header{readText(r, MaxHeaderBytes), readText(r, MaxURLBytes)})
	}
	return s
}

// headers takes a map, in the order of its names.
func (s *Source) headers(m map[string]string) {
	for name, value := range m { // order-free: they are sorted
		s.Headers = append(s.Headers, Header{name, value})
	}
	slices.SortFunc(s.Headers, func(a, b Header) int { return cmp.Compare(a.Name, b.Name) })
}

func readText(r *codec.Reader, most int) string {
	b := r.Bytes(most)
	if r.Err() == nil && !utf8.Valid(b) {
		r.Fail(codec.ErrInvalid, 0)
	}
	return string(b)
}

func readEmbedding(r *codec.Reader) *Embedding {
	e := &Embedding{Wide: r.Bool()}
	size := 1
	if e.Wide {
		size = 2
	}
	for n := r.Len(1, MaxEmbedding, size); n > 0; n-- {
		if e.Wide {
			e.Values = append(e.Values, int16(r.U16()))
		} else {
			e.Values = append(e.Values, int16(int8(r.U8())))
		}
	}
	return e
}

// check holds what is read against the bounds that its form does not give.
func (o *Output) check() error {
	if o.Outcome == Success && (o.Done != 0 || o.Total != 0) || o.Done > o.Total {
		return fmt.Errorf("%w: progress", ErrOutput)
	}
	if o.Source != nil {
		for i := 1; i < len(o.Source.Headers); i++ {
			if o.Source.Headers[i-1].Name >= o.Source.Headers[i].Name {
				return fmt.Errorf("%w: headers are strictly ascending", ErrOutput)
			}
		}
	}
	return nil
}
