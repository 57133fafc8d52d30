package tee

import (
	"bytes"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// MaxQuoteAge is how many blocks old an attestation may be, and how long its nonce is remembered.
	MaxQuoteAge = 75 // Spec: tee §4 (2), §5 (MAX_QUOTE_AGE, nonce GC window)
	// MaxOperatorProof bounds the proof of an operator, in bytes.
	MaxOperatorProof = 1_100
	caeDomain        = "cowboy/tee-verifier/cae/v1"
)

// Submission is a composite attestation of a runner's part in a job, with what is known of both.
type Submission struct {
	CAE     *CAE
	Job     digest.Hash
	Runner  account.Address
	Request digest.Hash // hash of what the job asks for
	Seed    digest.Hash // that its runners were drawn from
	Result  digest.Hash // SHA-256 of the result
	// What a trusted key vouches for, since the chain verifies no quote: the root that the quote's certificates end in, the platform's versions, and the
	// revocation lists (their hash in the collateral) that none of the certificates is on.
	Root    digest.Hash
	TCB     TCB
	Revoked digest.Hash
	Vouch   []byte
	// Operator shows that the runner is one of the collateral's operators.
	Operator []byte
	// What the runner is bound to, and the block in which it was given the job.
	Binding  *Binding
	Assigned unit.Height
}

// MeasurementHash is what the registry knows a quote's measurement by: its keccak256.
func MeasurementHash(measurement [MeasurementSize]byte) digest.Hash {
	return digest.Keccak256(measurement[:])
}

func (s *Submission) statement() *Statement {
	return &Statement{Type: s.CAE.CPU.Type, Measurement: MeasurementHash(s.CAE.CPU.Measurement), Job: s.Job, Runner: s.Runner}
}

// VouchPayload is what the trusted key of the type and the measurement signs that has verified the quote: behind what the payloads of results begin with,
// attest_digest ‖ root ‖ tcb(16) ‖ revoked.
//
// Spec: tee §1 (the interim design), §2.4 (revocation lists), §4 (3).
func (s *Submission) VouchPayload() []byte {
	d := s.CAE.Digest()
	dst := append(s.statement().payload(caeDomain), d[:]...)
	return append(append(append(dst, s.Root[:]...), s.TCB[:]...), s.Revoked[:]...)
}

// Verify takes a composite attestation through the pipeline and records it. Rejects, in the order of the checks: ErrLate; ErrNonce, ErrReplayed; ErrCollateral,
// ErrReport, ErrLists, ErrTCB, ErrOperator; ErrBinding, ErrKey, ErrRevoked, ErrDeprecated; ErrReport; ErrService, ErrSignature; ErrReport and ErrAccelerator
// of an accelerator; ErrSignature of who vouches.
//
// Spec: tee §2.2, §3 (125), §4.
func (s *Submission) Verify(st state.Store, now unit.Height) error {
	f := &s.CAE.Freshness
	if f.Deadline < now || f.Deadline-now > MaxLifetime || f.Generated > now || now-f.Generated > MaxQuoteAge {
		return ErrLate
	}
	if f.Nonce != Nonce(s.Job, s.Request, s.Seed) {
		return ErrNonce
	}
	if _, used, err := st.Lookup(nonceKey(f.Nonce, s.Runner)); err != nil {
		return err
	} else if used {
		return ErrReplayed
	}
	if err := s.platform(st, now); err != nil {
		return err
	}
	if err := s.Binding.Holds(st, s.CAE.CPU.Type, MeasurementHash(s.CAE.CPU.Measurement), s.Assigned); err != nil {
		return err
	}
	if err := s.CAE.reported(); err != nil {
		return err
	}
	if err := s.Binding.serves(&s.CAE.Service); err != nil {
		return err
	}
	if !s.CAE.Service.vouched(s.CAE.Signed(s.Job, s.Request, s.Result)) {
		return ErrSignature
	}
	if g := s.CAE.GPU; g != nil && g.Bound != s.CAE.Service.Key {
		return ErrReport
	}
	if err := s.Binding.accelerates(s.CAE.GPU); err != nil {
		return err
	}
	if err := s.statement().check(st, s.VouchPayload(), s.Vouch); err != nil {
		return err
	}
	return s.record(st, now)
}

// platform holds what is vouched for to the collateral of this block: lists that governance has replaced count no more. Spec: tee §2.4, §4 (3).
func (s *Submission) platform(st state.Reader, now unit.Height) error {
	all, err := LoadCollateral(st, s.CAE.CPU.Type)
	if err != nil {
		return err
	}
	c := all.At(now)
	switch {
	case c == nil:
		return ErrCollateral
	case !slices.Contains(c.Roots, s.Root):
		return ErrReport
	case s.Revoked != c.Revoked:
		return ErrLists
	case !s.TCB.Reaches(c.Least):
		return ErrTCB
	case !c.holds(s.Runner, s.Operator):
		return ErrOperator
	}
	return nil
}

// reported holds the quote's measurement and report data to the attestation, where the chain reads them. Spec: tee §4 (4, 5).
func (c *CAE) reported() error {
	if c.CPU.Type == Nitro {
		return nil
	}
	r, err := ReadReport(c.CPU.Type, c.CPU.Quote)
	if err != nil {
		return err
	}
	if r.Measurement != c.CPU.Measurement || r.Data != c.Bound() {
		return ErrReport
	}
	return nil
}

// Composite is what the chain keeps of a composite attestation: of itself 64 bytes, its digest and the result's.
//
// Spec: tee §2.2, §5 (MAX CAE on chain).
type Composite struct {
	Type        Type
	Measurement digest.Hash
	Digest      digest.Hash
	Result      digest.Hash
	Expires     unit.Height // the first block it does not count in
}

// Encode is the stored form.
func (c *Composite) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendU8(nil, uint8(c.Type)), c.Measurement[:])
	return codec.AppendUint(codec.AppendFixed(codec.AppendFixed(dst, c.Digest[:]), c.Result[:]), uint64(c.Expires))
}

// DecodeComposite reads what Encode wrote.
func DecodeComposite(data []byte) (c Composite, err error) {
	r := codec.NewReader(data)
	if c.Type = Type(r.U8()); r.Err() == nil && !c.Type.known() {
		r.Fail(codec.ErrEnum, uint64(c.Type))
	}
	r.Into(c.Measurement[:])
	r.Into(c.Digest[:])
	r.Into(c.Result[:])
	c.Expires = unit.Height(r.Uint())
	return c, r.Finish()
}

// What becomes over.
const (
	overNonce byte = iota
	overCAE
)

func pair(prefix string, h digest.Hash, runner account.Address) []byte {
	return append(append(under(prefix), h[:]...), runner[:]...)
}

func nonceKey(nonce digest.Hash, runner account.Address) []byte {
	return pair(underNonce, nonce, runner)
}

func caeKey(job digest.Hash, runner account.Address) []byte { return pair(underCAE, job, runner) }

func overKey(at unit.Height, what byte, h digest.Hash, runner account.Address) []byte {
	dst := append(codec.AppendU64(under(underOver), uint64(at)), what)
	return append(append(dst, h[:]...), runner[:]...)
}

// record keeps the nonce, and the attestation in the place of the one before. Spec: tee §4 (8).
func (s *Submission) record(st state.Store, now unit.Height) error {
	before, err := loadComposite(st, s.Job, s.Runner)
	if err == nil {
		st.Delete(overKey(before.Expires, overCAE, s.Job, s.Runner))
	} else if !errors.Is(err, ErrAttestation) {
		return err
	}
	c := Composite{
		Type: s.CAE.CPU.Type, Measurement: MeasurementHash(s.CAE.CPU.Measurement), Digest: s.CAE.Digest(), Result: s.Result,
		Expires: s.CAE.Freshness.Deadline + 1,
	}
	nonce := s.CAE.Freshness.Nonce
	st.Set(caeKey(s.Job, s.Runner), c.Encode())
	st.Set(overKey(c.Expires, overCAE, s.Job, s.Runner), []byte{})
	st.Set(nonceKey(nonce, s.Runner), []byte{})
	st.Set(overKey(now+MaxQuoteAge+1, overNonce, nonce, s.Runner), []byte{})
	return nil
}

func loadComposite(r state.Reader, job digest.Hash, runner account.Address) (Composite, error) {
	data, ok, err := r.Lookup(caeKey(job, runner))
	if err != nil {
		return Composite{}, err
	}
	if !ok {
		return Composite{}, ErrAttestation
	}
	return DecodeComposite(data)
}

// Verified gives the composite attestation of a runner's part in a job, which it was given in a block, that counts now for what the runner is bound to
// (BindingOf). Rejects: ErrAttestation, ErrExpired, and those of Holds.
//
// Spec: tee §4 (the verifier checks each accepted reveal again).
func (b *Binding) Verified(r state.Reader, job digest.Hash, runner account.Address, assigned, now unit.Height) (Composite, error) {
	c, err := loadComposite(r, job, runner)
	if err != nil {
		return c, err
	}
	if now >= c.Expires {
		return c, ErrExpired
	}
	return c, b.Holds(r, c.Type, c.Measurement, assigned)
}

// forgetOver removes what is over by a block, at most MaxForgotten. Spec: tee §4 (2), §5 (nonce GC window).
func forgetOver(s state.Store, now unit.Height) error {
	prefix := under(underOver)
	var due [][]byte
	err := s.Scan(prefix, nil, MaxForgotten, func(key, _ []byte) bool {
		if unit.Height(codec.NewReader(key[len(prefix):]).U64()) > now {
			return false
		}
		due = append(due, bytes.Clone(key))
		return true
	})
	if err != nil {
		return err
	}
	for _, key := range due {
		rest := key[len(prefix)+8:]
		h, runner := digest.Hash(rest[1:1+digest.Size]), account.Address(rest[1+digest.Size:])
		s.Delete(key)
		if rest[0] == overNonce {
			s.Delete(nonceKey(h, runner))
		} else {
			s.Delete(caeKey(h, runner))
		}
	}
	return nil
}
