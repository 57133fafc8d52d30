package signer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Version is that of the protocol.
const Version = 1

// Bounds, in bytes.
const (
	maxMessage = 4096
	maxSeed    = 96
	maxWord    = 256
	maxReason  = 1024
	idBytes    = 8
)

// dealingBytes is the size of the secret of a dealer's polynomials.
const dealingBytes = 32

// ErrMessage reports bytes that are no message of the protocol.
var ErrMessage = errors.New("signer: not a message of the protocol")

// Tags of questions.
const (
	tagHello = iota
	tagVote
	tagNewView
	tagAccusation
	tagHeaderProof
	tagWord
	tags
)

// Tags of answers.
const (
	tagSigned = iota
	tagRefused
	tagFailed
	answers
)

// question is what a node asks. decisions are what has to be durable first, and preimages what is signed then.
type question interface {
	append(dst []byte) []byte
	decisions() []decision
	preimages(n sig.Namespace) [][]byte
}

type (
	hello struct {
		version uint8
		genesis digest.Hash
	}
	vote struct {
		kind    sig.CertificateKind
		subject sig.Subject
		parent  *sig.Subject // whose commit goes with it
	}
	newView struct {
		round, highest sig.Round
		block          digest.Hash // of the highest certificate, or the anchor
	}
	accusation struct {
		subject sig.Subject
		accused uint32
		flaw    uint8
	}
	headerProof struct {
		seed   []byte
		height uint64
	}
	word struct{ preimage []byte }
)

func (q *hello) append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU8(codec.AppendU8(dst, tagHello), q.version), q.genesis[:])
}

func (q *vote) append(dst []byte) []byte {
	dst = q.subject.Append(codec.AppendU8(codec.AppendU8(dst, tagVote), uint8(q.kind)))
	dst = codec.AppendBool(dst, q.parent != nil)
	if q.parent != nil {
		dst = q.parent.Append(dst)
	}
	return dst
}

func (q *newView) append(dst []byte) []byte {
	return codec.AppendFixed(q.highest.Append(q.round.Append(codec.AppendU8(dst, tagNewView))), q.block[:])
}

func (q *accusation) append(dst []byte) []byte {
	return codec.AppendU8(codec.AppendUint(q.subject.Append(codec.AppendU8(dst, tagAccusation)), uint64(q.accused)), q.flaw)
}

func (q *headerProof) append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendBytes(codec.AppendU8(dst, tagHeaderProof), q.seed), q.height)
}

func (q *word) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendU8(dst, tagWord), q.preimage)
}

func (*hello) decisions() []decision { return nil }

func (q *vote) decisions() []decision {
	if q.kind == sig.Finalization {
		return []decision{{committed, q.subject}}
	}
	list := []decision{{notarized, q.subject}}
	if q.parent != nil {
		list = append(list, decision{committed, *q.parent})
	}
	return list
}

func (q *newView) decisions() []decision   { return []decision{{gaveUp, sig.Subject{Round: q.round}}} }
func (*accusation) decisions() []decision  { return nil }
func (*headerProof) decisions() []decision { return nil }
func (*word) decisions() []decision        { return nil }

func (*hello) preimages(sig.Namespace) [][]byte { return nil }

func (q *vote) preimages(n sig.Namespace) [][]byte {
	list := [][]byte{(&simplex.Vote{Kind: q.kind, Subject: q.subject}).Preimage(n)}
	if q.parent != nil {
		list = append(list, n.Finalize(*q.parent))
	}
	return list
}

func (q *newView) preimages(n sig.Namespace) [][]byte {
	return [][]byte{n.Nullify(q.round), n.HighestQC(q.round, q.highest, q.block)}
}

func (q *accusation) preimages(n sig.Namespace) [][]byte {
	return [][]byte{n.Accuse(q.subject, q.accused, q.flaw)}
}

func (q *headerProof) preimages(n sig.Namespace) [][]byte {
	return [][]byte{n.VRF(q.seed, q.height)}
}

func (q *word) preimages(sig.Namespace) [][]byte { return [][]byte{q.preimage} }

// allowed reports whether a word is of a domain that convicts nobody.
func (q *word) allowed(n sig.Namespace) bool {
	if len(q.preimage) < digest.Size {
		return false
	}
	var last digest.Hash
	copy(last[:], q.preimage[len(q.preimage)-digest.Size:])
	return string(q.preimage) == string(n.Deal(last)) || string(q.preimage) == string(roster.IntroductionPreimage(n, link.Peer(last)))
}

// readQuestion decodes a body. An error wraps ErrMessage.
func readQuestion(body []byte) (id uint64, q question, err error) {
	r := codec.NewReader(body)
	id = r.U64()
	switch r.Tag(tags) {
	case tagHello:
		x := &hello{version: r.U8()}
		r.Into(x.genesis[:])
		q = x
	case tagVote:
		x := &vote{kind: sig.CertificateKind(r.U8()), subject: sig.ReadSubject(r)}
		if r.Bool() {
			parent := sig.ReadSubject(r)
			x.parent = &parent
		}
		if x.kind != sig.Notarization && (x.kind != sig.Finalization || x.parent != nil) {
			return id, nil, fmt.Errorf("%w: a vote of kind %d", ErrMessage, x.kind)
		}
		q = x
	case tagNewView:
		x := &newView{round: sig.ReadRound(r), highest: sig.ReadRound(r)}
		r.Into(x.block[:])
		q = x
	case tagAccusation:
		q = &accusation{sig.ReadSubject(r), r.Uint32(), r.U8()}
	case tagHeaderProof:
		q = &headerProof{r.Bytes(maxSeed), r.Uint()}
	case tagWord:
		q = &word{r.Bytes(maxWord)}
	}
	if err := r.Finish(); err != nil {
		return id, nil, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	return id, q, nil
}

// introduced is the answer to hello.
type introduced struct {
	key              sig.BLSPublicKey
	sealing, dealing []byte
}

func (a *introduced) append(dst []byte) []byte {
	return append(append(append(dst, a.key[:]...), a.sealing...), a.dealing...)
}

func readIntroduced(r *codec.Reader) (*introduced, error) {
	a := &introduced{}
	r.Into(a.key[:])
	a.sealing, a.dealing = r.Fixed(shares.SecretSize), r.Fixed(dealingBytes)
	return a, r.Finish()
}

// readMessage reads a message and gives its body. An error is the connection's, or wraps ErrMessage.
func readMessage(from io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n < idBytes+1 || n > maxMessage {
		return nil, fmt.Errorf("%w: %d bytes", ErrMessage, n)
	}
	body := make([]byte, n)
	_, err := io.ReadFull(from, body)
	return body, err
}

func writeMessage(to io.Writer, body []byte) error {
	_, err := to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}
