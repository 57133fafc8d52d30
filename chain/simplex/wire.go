package simplex

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Tags of messages.
const (
	tagPropose = iota
	tagVote
	tagNewView
	tagCertificate
	tagRequest
	tagResponse
	tagAccusation
	tags
)

// minCertificateSize is a lower bound of an encoded certificate: kind, round, bit count, two signatures.
const minCertificateSize = 1 + 2 + 8 + 2*sig.BLSSignatureSize

// Encode is the canonical encoding of a message: tag ‖ body. A Propose needs its Block, unless it proposes one again.
// Spec: WP §2.5; commonware §2.2.
func Encode(m Message) []byte {
	switch m := m.(type) {
	case *Propose:
		dst := make([]byte, 0, 1024+len(m.Block))
		return codec.AppendBytes(m.Vote.append(codec.AppendU8(dst, tagPropose)), m.Block)
	case *Vote:
		return m.append(codec.AppendU8(nil, tagVote))
	case *NewView:
		return m.append(codec.AppendU8(nil, tagNewView))
	case *Certificate:
		return m.append(codec.AppendU8(nil, tagCertificate))
	case *Request:
		return m.append(codec.AppendU8(nil, tagRequest))
	case *Response:
		return m.append(codec.AppendU8(nil, tagResponse))
	case *Accusation:
		return m.append(codec.AppendU8(nil, tagAccusation))
	}
	panic("simplex: unknown message")
}

// Decode reads one message and nothing else: a *codec.Error for a malformed one, the error of inspect, or ErrBlock for a proposal whose block is
// not the one voted for. It checks layout and bounds; signatures and meaning are State's. The Block of a Propose aliases data.
// Spec: WP §2.5; commonware §1.3, §2.2.
func Decode(data []byte, inspect Inspect) (Message, error) {
	r := codec.NewReader(data)
	m := read(r)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	p, ok := m.(*Propose)
	if !ok || len(p.Block) == 0 {
		return m, nil
	}
	link, err := inspect(p.Block)
	if err != nil {
		return nil, err
	}
	if link.Hash != p.Vote.Subject.BlockHash || len(link.Header) > MaxHeader {
		return nil, ErrBlock
	}
	p.Ref = link
	return p, nil
}

func read(r *codec.Reader) Message {
	switch r.Tag(tags) {
	case tagVote:
		v := readVote(r)
		return &v
	case tagNewView:
		return readNewView(r)
	case tagCertificate:
		return readCertificate(r)
	case tagRequest:
		return &Request{ID: r.Uint(), Views: readViews(r)}
	case tagResponse:
		return readResponse(r)
	case tagAccusation:
		return readAccusation(r)
	}
	p := &Propose{Vote: readVote(r)}
	p.Block = r.Bytes(params.MaxBlockBytes)
	if p.Vote.Kind != sig.Notarization {
		r.Fail(codec.ErrInvalid, uint64(p.Vote.Kind))
	}
	return p
}

// append writes kind ‖ subject ‖ UInt signer ‖ signature ‖ partial, and for a notarize vote Option<half>.
func (v *Vote) append(dst []byte) []byte {
	dst = codec.AppendU8(dst, uint8(v.Kind))
	dst = v.Subject.Append(dst)
	dst = codec.AppendUint(dst, uint64(v.Signer))
	dst = codec.AppendFixed(dst, v.Signature[:])
	dst = codec.AppendFixed(dst, v.Partial[:])
	if v.Kind != sig.Notarization {
		return dst
	}
	dst = codec.AppendBool(dst, v.Half != nil)
	if v.Half != nil {
		dst = v.Half.Parent.Append(dst)
		dst = codec.AppendFixed(dst, v.Half.Signature[:])
	}
	return dst
}

func readVote(r *codec.Reader) Vote {
	v := Vote{Kind: readVoteKind(r), Subject: sig.ReadSubject(r), Signer: r.Uint32()}
	r.Into(v.Signature[:])
	r.Into(v.Partial[:])
	if v.Kind == sig.Notarization && r.Option() {
		v.Half = &Half{Parent: sig.ReadSubject(r)}
		r.Into(v.Half.Signature[:])
		if p := v.Half.Parent.Round; p.Epoch != v.Subject.Round.Epoch || p.View >= v.Subject.Round.View {
			r.Fail(codec.ErrInvalid, p.View)
		}
	}
	return v
}

// append writes the certificate ‖ Option<the one under it>.
func (c *Certificate) append(dst []byte) []byte {
	dst = codec.AppendBool(c.Append(dst), c.Under != nil)
	if c.Under != nil {
		dst = c.Under.Append(dst)
	}
	return dst
}

func readCertificate(r *codec.Reader) *Certificate {
	c := sig.ReadCertificate(r)
	m := &Certificate{Certificate: &c}
	if r.Option() {
		under := sig.ReadCertificate(r)
		m.Under = &under
		if at := under.Subject.Round; c.Kind != sig.Notarization || under.Kind != sig.Finalization || at.Epoch != c.Subject.Round.Epoch ||
			at.View >= c.Subject.Round.View {
			r.Fail(codec.ErrInvalid, at.View)
		}
	}
	return m
}

func readVoteKind(r *codec.Reader) sig.CertificateKind {
	k := sig.CertificateKind(r.U8())
	if k != sig.Notarization && k != sig.Finalization {
		r.Fail(codec.ErrEnum, uint64(k))
	}
	return k
}

// append writes Round ‖ UInt signer ‖ signature ‖ partial ‖ Option<certificate> ‖ naming.
func (m *NewView) append(dst []byte) []byte {
	dst = m.Round.Append(dst)
	dst = codec.AppendUint(dst, uint64(m.Signer))
	dst = codec.AppendFixed(dst, m.Signature[:])
	dst = codec.AppendFixed(dst, m.Partial[:])
	dst = codec.AppendBool(dst, m.Highest != nil)
	if m.Highest != nil {
		dst = m.Highest.Append(dst)
	}
	return codec.AppendFixed(dst, m.HighestQC[:])
}

func readNewView(r *codec.Reader) *NewView {
	m := &NewView{Round: sig.ReadRound(r), Signer: r.Uint32()}
	r.Into(m.Signature[:])
	r.Into(m.Partial[:])
	if r.Option() {
		c := sig.ReadCertificate(r)
		m.Highest = &c
		if at := c.Subject.Round; c.Kind == sig.Nullification || at.Epoch != m.Round.Epoch || at.View >= m.Round.View {
			r.Fail(codec.ErrInvalid, at.View)
		}
	}
	r.Into(m.HighestQC[:])
	return m
}

func (m *Request) append(dst []byte) []byte {
	dst = codec.AppendUint(dst, m.ID)
	dst = codec.AppendLen(dst, len(m.Views))
	for _, v := range m.Views {
		dst = codec.AppendUint(dst, v)
	}
	return dst
}

func readViews(r *codec.Reader) []uint64 {
	views := make([]uint64, r.Len(0, MaxRequestViews, 1))
	for i := range views {
		views[i] = r.Uint()
		if r.Err() == nil && i > 0 && views[i] <= views[i-1] {
			r.Fail(codec.ErrOrder, views[i])
		}
	}
	return views
}

func (m *Response) append(dst []byte) []byte {
	dst = codec.AppendUint(dst, m.ID)
	dst = codec.AppendLen(dst, len(m.Certificates))
	for _, c := range m.Certificates {
		dst = c.Append(dst)
	}
	return dst
}

func readResponse(r *codec.Reader) *Response {
	m := &Response{ID: r.Uint()}
	m.Certificates = make([]*sig.Certificate, r.Len(0, MaxResponseCertificates, minCertificateSize))
	for i := range m.Certificates {
		c := sig.ReadCertificate(r)
		m.Certificates[i] = &c
	}
	return m
}
