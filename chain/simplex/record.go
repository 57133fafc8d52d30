package simplex

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Record is one entry of the journal: *OwnVote, *OwnNullify, *Certificate, *Verdict or an own *Accusation. It belongs to the section of its view.
// Spec: commonware §2.2 (journal artifact), §3.5.
type Record interface{ record() }

type (
	// OwnVote is the decision to vote, made before it is signed. Parent is the commit half's subject, if any. Ref is the block's for a
	// vote to notarize.
	OwnVote struct {
		Kind    sig.CertificateKind
		Subject sig.Subject
		Parent  *sig.Subject
		Ref     BlockRef
	}
	// OwnNullify is the decision to give up a view.
	OwnNullify struct{ Round sig.Round }
	// Verdict is the answer to a Certify, or the conclusion that none was needed.
	Verdict struct {
		Subject sig.Subject
		Valid   bool
		Ref     BlockRef
	}
)

func (*OwnVote) record()     {}
func (*OwnNullify) record()  {}
func (*Verdict) record()     {}
func (*Certificate) record() {}
func (*Accusation) record()  {}

// RoundOf is the round whose section a record belongs to.
func RoundOf(r Record) sig.Round {
	switch r := r.(type) {
	case *OwnVote:
		return r.Subject.Round
	case *OwnNullify:
		return r.Round
	case *Verdict:
		return r.Subject.Round
	case *Certificate:
		return r.Subject.Round
	case *Accusation:
		return r.Subject.Round
	}
	panic("simplex: unknown record")
}

// Tags of records.
const (
	tagOwnVote = iota
	tagOwnNullify
	tagVerdict
	tagRecordedCertificate
	tagRecordedAccusation
	recordTags
)

// EncodeRecord is the canonical encoding of a record: tag ‖ body.
func EncodeRecord(r Record) []byte {
	switch r := r.(type) {
	case *OwnVote:
		dst := codec.AppendU8(codec.AppendU8(nil, tagOwnVote), uint8(r.Kind))
		dst = r.Subject.Append(dst)
		dst = codec.AppendBool(dst, r.Parent != nil)
		if r.Parent != nil {
			dst = r.Parent.Append(dst)
		}
		return r.Ref.append(dst)
	case *OwnNullify:
		return r.Round.Append(codec.AppendU8(nil, tagOwnNullify))
	case *Verdict:
		dst := r.Subject.Append(codec.AppendU8(nil, tagVerdict))
		return r.Ref.append(codec.AppendBool(dst, r.Valid))
	case *Certificate:
		return r.Append(codec.AppendU8(nil, tagRecordedCertificate))
	case *Accusation:
		return r.append(codec.AppendU8(nil, tagRecordedAccusation))
	}
	panic("simplex: unknown record")
}

// DecodeRecord reads one record and nothing else, or gives a *codec.Error.
func DecodeRecord(data []byte) (Record, error) {
	r := codec.NewReader(data)
	record := readRecord(r)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return record, nil
}

func readRecord(r *codec.Reader) Record {
	switch r.Tag(recordTags) {
	case tagOwnNullify:
		return &OwnNullify{Round: sig.ReadRound(r)}
	case tagVerdict:
		return &Verdict{Subject: sig.ReadSubject(r), Valid: r.Bool(), Ref: readBlockRef(r)}
	case tagRecordedCertificate:
		c := sig.ReadCertificate(r)
		return &Certificate{Certificate: &c}
	case tagRecordedAccusation:
		return readAccusation(r)
	}
	v := &OwnVote{Kind: readVoteKind(r), Subject: sig.ReadSubject(r)}
	if r.Option() {
		parent := sig.ReadSubject(r)
		v.Parent = &parent
	}
	v.Ref = readBlockRef(r)
	return v
}

// append writes hash ‖ UInt height ‖ Round ‖ UInt proposer ‖ parent hash ‖ UInt parent view. The header is not kept: evidence is made when a
// proposal arrives.
func (l *BlockRef) append(dst []byte) []byte {
	dst = codec.AppendFixed(dst, l.Hash[:])
	dst = codec.AppendUint(dst, l.Height)
	dst = l.Round.Append(dst)
	dst = codec.AppendUint(dst, uint64(l.Proposer))
	dst = codec.AppendFixed(dst, l.ParentHash[:])
	return codec.AppendUint(dst, l.ParentView)
}

func readBlockRef(r *codec.Reader) BlockRef {
	var hash, parent digest.Hash
	r.Into(hash[:])
	l := BlockRef{Hash: hash, Height: r.Uint(), Round: sig.ReadRound(r), Proposer: r.Uint32()}
	r.Into(parent[:])
	l.ParentHash, l.ParentView = parent, r.Uint()
	return l
}
