package tee

import (
	"bytes"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds and times of collateral.
const (
	MaxRoots = 8
	// RootDelay is how many blocks pass before a root counts that did not before.
	RootDelay = 604_800 // Spec: tee §2.4, §5 (ROOT_UPDATE_DELAY)
	// TCBSize is the length of the security versions of a platform.
	TCBSize = 16
	// maxSnapshots of a type are kept: the one in force and the one that is to follow.
	maxSnapshots = 2
)

// TCB is the security versions of a platform's parts, in the order of its vendor's format, filled with zeros: tee_tcb_svn of tdx, cpusvn of sgx, the
// reported_tcb of sev. nitro has none.
//
// Spec: tee §2.4 (TCB).
type TCB [TCBSize]byte

// Reaches reports whether each part is at least as new as a least one.
func (t TCB) Reaches(least TCB) bool {
	for i := range t {
		if t[i] < least[i] {
			return false
		}
	}
	return true
}

// Snapshot is what quotes of a type are held against from a block on (CollateralSnapshot).
//
// Spec: tee §2.4.
type Snapshot struct {
	Effective unit.Height
	Roots     []digest.Hash // SHA-256 of the vendor's root certificates (DER), ascending
	Least     TCB           // of a platform that is not out of date
	Revoked   digest.Hash   // SHA-256 of the revocation lists (DER), one behind another, that certificates are held against; zero: none
	Operators digest.Hash   // Merkle root of keccak256 of the addresses that may operate (operator_root); zero: everybody
}

func (s *Snapshot) append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendUint(dst, uint64(s.Effective)), len(s.Roots))
	for i := range s.Roots {
		dst = codec.AppendFixed(dst, s.Roots[i][:])
	}
	return codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, s.Least[:]), s.Revoked[:]), s.Operators[:])
}

func readSnapshot(r *codec.Reader) (s Snapshot) {
	s.Effective = unit.Height(r.Uint())
	for range r.Len(0, MaxRoots, digest.Size) {
		var root digest.Hash
		r.Into(root[:])
		s.Roots = append(s.Roots, root)
	}
	r.Into(s.Least[:])
	r.Into(s.Revoked[:])
	r.Into(s.Operators[:])
	return s
}

// Collateral is the snapshots of a type, by the blocks they are for, ascending.
type Collateral []Snapshot

// Encode is the stored form: the list of the snapshots.
func (c Collateral) Encode() []byte {
	dst := codec.AppendLen(nil, len(c))
	for i := range c {
		dst = c[i].append(dst)
	}
	return dst
}

// DecodeCollateral reads what Encode wrote.
func DecodeCollateral(data []byte) (c Collateral, err error) {
	r := codec.NewReader(data)
	for range r.Len(0, maxSnapshots, 1) {
		c = append(c, readSnapshot(r))
	}
	return c, r.Finish()
}

// At is the snapshot of a block; nil for none.
func (c Collateral) At(now unit.Height) (in *Snapshot) {
	for i := range c {
		if c[i].Effective <= now {
			in = &c[i]
		}
	}
	return in
}

func collateralKey(t Type) []byte { return append(under(underLatest), t.String()...) }

// LoadCollateral reads the snapshots of a type.
func LoadCollateral(r state.Reader, t Type) (Collateral, error) {
	data, ok, err := r.Lookup(collateralKey(t))
	if err != nil || !ok {
		return nil, err
	}
	return DecodeCollateral(data)
}

// ParseRoots splits a row of hashes. Reject: ErrForm for none, too many, or ones that do not ascend.
func ParseRoots(row []byte) (list []digest.Hash, err error) {
	if len(row) == 0 || len(row)%digest.Size != 0 || len(row) > MaxRoots*digest.Size {
		return nil, ErrForm
	}
	for ; len(row) > 0; row = row[digest.Size:] {
		root := digest.Hash(row[:digest.Size])
		if n := len(list); n > 0 && bytes.Compare(list[n-1][:], root[:]) >= 0 {
			return nil, ErrForm
		}
		list = append(list, root)
	}
	return list, nil
}

// Update puts a snapshot into force: at once where all of its roots are in force already, so that a vulnerable platform or a revoked certificate does not
// wait, and else RootDelay blocks from now, in the place of what was to follow. It gives the block. Rejects: ErrType.
//
// Spec: tee §2.4, §3 (126), §5 (ROOT_UPDATE_DELAY).
func (s *Snapshot) Update(st state.Store, t Type, now unit.Height) (unit.Height, error) {
	if !t.known() {
		return 0, ErrType
	}
	all, err := LoadCollateral(st, t)
	if err != nil {
		return 0, err
	}
	present := all.At(now)
	var next Collateral
	if s.Effective = now; present == nil || slices.ContainsFunc(s.Roots, func(root digest.Hash) bool { return !slices.Contains(present.Roots, root) }) {
		if s.Effective = now + RootDelay; present != nil {
			next = append(next, *present)
		}
		next = append(next, *s)
	} else {
		next = append(next, *s)
		if last := all[len(all)-1]; last.Effective > now {
			next = append(next, last)
		}
	}
	st.Set(collateralKey(t), next.Encode())
	return s.Effective, nil
}

// holds reports whether a runner is one of the operators, whose leaf a proof has at a place: be4 position ‖ Merkle proof. An empty list is everybody.
//
// Spec: tee §2.4 (operator_root), §6 (OperatorRootFail).
func (s *Snapshot) holds(runner account.Address, proof []byte) bool {
	if s.Operators == (digest.Hash{}) {
		return true
	}
	r := codec.NewReader(proof)
	at := r.U32()
	if r.Err() != nil {
		return false
	}
	p, err := digest.DecodeMerkleProof(proof[4:])
	return err == nil && p.Verify(s.Operators, []uint32{at}, []digest.Hash{digest.Keccak256(runner[:])}) == nil
}
