package simplex_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// filled is a signature of one repeated byte.
func filled(b byte) (s sig.BLSSignature) {
	for i := range s {
		s[i] = b
	}
	return s
}

func filledHash(b byte) digest.Hash { return digest.Hash(bytes.Repeat([]byte{b}, digest.Size)) }

func sampleSubject() sig.Subject {
	return sig.Subject{BlockHash: filledHash(0xaa), Height: 300, Round: sig.Round{Epoch: 1, View: 300}}
}

func sampleCertificate() *sig.Certificate {
	c := &sig.Certificate{
		Kind: sig.Notarization, Subject: sampleSubject(), Signers: sig.NewSigners(4), Aggregate: filled(1), Seed: filled(2),
	}
	c.Subject.Round.View = 299
	for _, i := range []int{0, 1, 3} {
		c.Signers.Add(i)
	}
	return c
}

func sampleFinalization() *sig.Certificate {
	c := sampleCertificate()
	c.Kind, c.Subject.Round.View = sig.Finalization, 298
	return c
}

// sampleMessages has one message of every shape.
func sampleMessages() []simplex.Message {
	b := blok{height: 300, round: sig.Round{Epoch: 1, View: 300}, proposer: 2, parentHash: filledHash(0xbb), parentView: 299}
	half := &simplex.Half{Parent: sampleCertificate().Subject, Signature: filled(5)}
	vote := simplex.Vote{Kind: sig.Notarization, Subject: sampleSubject(), Signer: 2, Signature: filled(3), Partial: filled(4)}
	proposal := vote
	proposal.Subject, proposal.Half = b.subject(), half
	commit := vote
	commit.Kind = sig.Finalization
	view := simplex.NewView{Round: sig.Round{Epoch: 1, View: 300}, Signer: 3, Signature: filled(6), Partial: filled(7), HighestQC: filled(8)}
	named := view
	named.Highest = sampleCertificate()
	return []simplex.Message{
		&simplex.Propose{Vote: proposal, Block: b.encode(), Ref: b.link()},
		&simplex.Propose{Vote: vote, Block: []byte{}},
		&vote, &commit, &view, &named,
		&simplex.Certificate{Certificate: sampleCertificate()},
		&simplex.Certificate{Certificate: sampleCertificate(), Under: sampleFinalization()},
		&simplex.Request{ID: 9, Views: []uint64{1, 300}},
		&simplex.Response{ID: 9, Certificates: []*sig.Certificate{sampleCertificate()}},
		&simplex.Accusation{Subject: sampleSubject(), Accused: 2, Vote: filled(3), Flaw: simplex.FlawedBody, Signer: 1, Signature: filled(4)},
	}
}

func sampleRecords() []simplex.Record {
	parent := sampleCertificate().Subject
	b := blok{height: 300, round: sig.Round{Epoch: 1, View: 300}, proposer: 2, parentHash: filledHash(0xbb), parentView: 299}
	link := b.link()
	link.Header = nil
	return []simplex.Record{
		&simplex.OwnVote{Kind: sig.Notarization, Subject: b.subject(), Parent: &parent, Ref: link},
		&simplex.OwnVote{Kind: sig.Finalization, Subject: parent},
		&simplex.OwnNullify{Round: sig.Round{Epoch: 1, View: 5}},
		&simplex.Verdict{Subject: b.subject(), Valid: true, Ref: link},
		&simplex.Certificate{Certificate: sampleCertificate()},
		&simplex.Accusation{Subject: sampleSubject(), Accused: 2, Vote: filled(3), Flaw: simplex.FlawedBlock, Signer: 1, Signature: filled(4)},
	}
}

func sampleEvidence() []*simplex.Evidence {
	s := simplex.Statement{Kind: sig.Notarization, Subject: sampleSubject(), Signature: filled(1)}
	n := simplex.Statement{Kind: sig.Nullification, Subject: sig.Subject{Round: sampleSubject().Round}, Signature: filled(2)}
	return []*simplex.Evidence{
		{Offence: simplex.DoubleNotarize, Signer: 1, First: s, Second: s, Header: []byte{}},
		{Offence: simplex.NullifyFinalize, Signer: 1, First: n, Second: s, Header: []byte{}},
		{Offence: simplex.LowParent, Signer: 1, First: s, Header: []byte("header"), HighestQC: &simplex.HighestQC{
			Round: sampleSubject().Round, Certified: sig.Round{Epoch: 1, View: 2}, BlockHash: filledHash(9), Signature: filled(3),
		}},
		{Offence: simplex.InvalidProposal, Signer: 1, First: s, Found: &simplex.Finding{
			Flaw: simplex.FlawedBlock, Signers: sampleCertificate().Signers, Aggregate: filled(4),
		}},
	}
}

// TestLayout spells the bytes of messages out. Spec: WP §2.5; commonware §2.2.
func TestLayout(t *testing.T) {
	subject := strings.Repeat("aa", 32) + "ac02" + "01ac02"                                                               // hash, height 300, round (1, 300)
	qc := "00" + strings.Repeat("aa", 32) + "ac02" + "01ab02" + "0000000000000004" + "0b00000000000000" + rep(1) + rep(2) // kind, subject, signers 0 1 3
	half := "01" + strings.Repeat("aa", 32) + "ac02" + "01ab02" + rep(5)
	m := sampleMessages()
	p := m[0].(*simplex.Propose)
	block := hex.EncodeToString(p.Block)
	for i, want := range map[int]string{
		0: "00" + "00" + hex.EncodeToString(p.Vote.Subject.BlockHash[:]) + "ac02" + "01ac02" + "02" + rep(3) + rep(4) + half +
			fmt.Sprintf("%02x", len(p.Block)) + block,
		1:  "00" + "00" + subject + "02" + rep(3) + rep(4) + "00" + "00",
		2:  "01" + "00" + subject + "02" + rep(3) + rep(4) + "00",
		3:  "01" + "02" + subject + "02" + rep(3) + rep(4),
		4:  "02" + "01ac02" + "03" + rep(6) + rep(7) + "00" + rep(8),
		5:  "02" + "01ac02" + "03" + rep(6) + rep(7) + "01" + qc + rep(8),
		6:  "03" + qc + "00",
		7:  "03" + qc + "01" + strings.Replace(strings.Replace(qc, "00", "02", 1), "ab02", "aa02", 1),
		8:  "04" + "09" + "02" + "01" + "ac02",
		9:  "05" + "09" + "01" + qc,
		10: "06" + subject + "02" + rep(3) + "02" + "01" + rep(4),
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := hex.EncodeToString(simplex.Encode(m[i])); got != want {
				t.Errorf("%T:\n got %s\nwant %s", m[i], got, want)
			}
		})
	}
}

func rep(b byte) string { return strings.Repeat(fmt.Sprintf("%02x", b), sig.BLSSignatureSize) }

// TestRoundTrip decodes what was encoded, and refuses every shortened or prolonged form. Spec: commonware §1.3.
func TestRoundTrip(t *testing.T) {
	type decode func([]byte) ([]byte, error)
	message := func(b []byte) ([]byte, error) {
		m, err := simplex.Decode(b, inspect)
		if err != nil {
			return nil, err
		}
		return simplex.Encode(m), nil
	}
	record := func(b []byte) ([]byte, error) {
		r, err := simplex.DecodeRecord(b)
		if err != nil {
			return nil, err
		}
		return simplex.EncodeRecord(r), nil
	}
	evidence := func(b []byte) ([]byte, error) {
		e, err := simplex.DecodeEvidence(b)
		if err != nil {
			return nil, err
		}
		return e.Encode(), nil
	}
	check := func(name string, raw []byte, d decode) {
		if got, err := d(raw); err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%s: %v, %x is not %x", name, err, got, raw)
		}
		for n := range raw {
			if _, err := d(raw[:n]); err == nil {
				t.Errorf("%s: accepted when cut to %d of %d bytes", name, n, len(raw))
			}
		}
		var e *codec.Error
		if _, err := d(append(bytes.Clone(raw), 0)); !errors.As(err, &e) {
			t.Errorf("%s: a trailing byte gives %v", name, err)
		}
	}
	for _, m := range sampleMessages() {
		check(fmt.Sprintf("%T", m), simplex.Encode(m), message)
	}
	for _, r := range sampleRecords() {
		check(fmt.Sprintf("%T", r), simplex.EncodeRecord(r), record)
	}
	for _, e := range sampleEvidence() {
		check(e.Offence.String(), e.Encode(), evidence)
	}
}

// TestDecodeRefuses lists well-formed bytes that no message may have. Spec: commonware §1.3, §2.2, §3.8.
func TestDecodeRefuses(t *testing.T) {
	m := sampleMessages()
	vote := *m[2].(*simplex.Vote)
	late := vote
	late.Half = &simplex.Half{Parent: vote.Subject}
	foreign := vote
	foreign.Half = &simplex.Half{Parent: sig.Subject{Round: sig.Round{Epoch: 0, View: 1}}}
	other := *m[0].(*simplex.Propose)
	other.Vote.Subject.BlockHash[0]++
	ahead := *m[5].(*simplex.NewView)
	ahead.Round.View = 299
	null := *m[5].(*simplex.NewView)
	null.Highest = &sig.Certificate{Kind: sig.Nullification, Subject: sig.Subject{Round: sig.Round{Epoch: 1, View: 2}}}
	over := func(change func(c, under *sig.Certificate)) []byte {
		c, under := sampleCertificate(), sampleFinalization()
		change(c, under)
		return simplex.Encode(&simplex.Certificate{Certificate: c, Under: under})
	}
	views := make([]uint64, simplex.MaxRequestViews+1)
	for i := range views {
		views[i] = uint64(i)
	}
	wide := *m[3].(*simplex.Vote)
	commitWithHalf := append(simplex.Encode(&wide), 0)
	accuse := func(f simplex.Flaw) []byte {
		return simplex.Encode(&simplex.Accusation{Subject: sampleSubject(), Accused: 2, Flaw: f, Signer: 1})
	}
	for _, c := range []struct {
		name string
		raw  []byte
		want error
	}{
		{"unknown tag", []byte{7}, codec.ErrEnum},
		{"an accusation of nothing", accuse(simplex.NoFlaw), codec.ErrEnum},
		{"an accusation of something unknown", accuse(simplex.FlawedBody + 1), codec.ErrEnum},
		{"nullify as a vote", []byte{1, 1}, codec.ErrEnum},
		{"half for the same view", simplex.Encode(&late), codec.ErrInvalid},
		{"half of another epoch", simplex.Encode(&foreign), codec.ErrInvalid},
		{"half with a commit vote", commitWithHalf, codec.ErrTrailing},
		{"another block", simplex.Encode(&other), simplex.ErrBlock},
		{"highest of the same view", simplex.Encode(&ahead), codec.ErrInvalid},
		{"nullification as highest", simplex.Encode(&null), codec.ErrInvalid},
		{"a finalization over another", over(func(c, _ *sig.Certificate) { c.Kind = sig.Finalization }), codec.ErrInvalid},
		{"a notarization under another", over(func(_, under *sig.Certificate) { under.Kind = sig.Notarization }), codec.ErrInvalid},
		{"a finalization of the same view", over(func(_, under *sig.Certificate) { under.Subject.Round.View = 299 }), codec.ErrInvalid},
		{"a finalization of another epoch", over(func(_, under *sig.Certificate) { under.Subject.Round.Epoch = 0 }), codec.ErrInvalid},
		{"too many views", simplex.Encode(&simplex.Request{Views: views}), codec.ErrLength},
		{"views out of order", simplex.Encode(&simplex.Request{Views: []uint64{2, 2}}), codec.ErrOrder},
		{"certificates beyond the input", []byte{5, 0, 65}, codec.ErrShort},
		{"too many certificates", append([]byte{5, 0, 66}, make([]byte, 66*210)...), codec.ErrLength},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := simplex.Decode(c.raw, inspect); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
		})
	}
}

// TestInspectBlock reads a real header: the link is the header's, and a block gives the link of its header alone. Spec: commonware §3.7.
func TestInspectBlock(t *testing.T) {
	b := &block.Block{Header: block.Header{
		Version: 1, ChainID: 7, Height: 9, Epoch: 1, View: 12, ParentView: 10, ParentHash: filledHash(3), TimestampMs: 5, ProposerIndex: 4,
		ParentSeed: &sig.Seed{Round: sig.Round{Epoch: 1, View: 11}, Signature: filled(1)},
	}}
	link, err := simplex.InspectBlock(b.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if link.Hash != b.Hash() || link.Height != 9 || link.Round != (sig.Round{Epoch: 1, View: 12}) || link.Proposer != 4 ||
		link.ParentHash != filledHash(3) || link.ParentView != 10 || len(link.Header) > simplex.MaxHeader {
		t.Errorf("link %+v", link)
	}
	alone, err := simplex.InspectBlock(link.Header)
	if err != nil || alone.Hash != link.Hash || !bytes.Equal(alone.Header, link.Header) {
		t.Errorf("header alone: %v", err)
	}
	if _, err := simplex.InspectBlock(link.Header[:len(link.Header)-1]); !errors.Is(err, codec.ErrShort) {
		t.Errorf("cut header: %v", err)
	}
}

// TestFormatGolden pins every format by one hash: a change is a new protocol version. Spec: WP §2.5.
func TestFormatGolden(t *testing.T) {
	var out strings.Builder
	line := func(name string, raw []byte) { fmt.Fprintf(&out, "%s %d %x\n", name, len(raw), sha256.Sum256(raw)) }
	for _, m := range sampleMessages() {
		line(fmt.Sprintf("%T", m), simplex.Encode(m))
	}
	for _, r := range sampleRecords() {
		line(fmt.Sprintf("record %T", r), simplex.EncodeRecord(r))
	}
	for _, e := range sampleEvidence() {
		line("evidence "+e.Offence.String(), e.Encode())
	}
	golden.File(t, "testdata/format.golden", []byte(out.String()))
}

func FuzzDecode(f *testing.F) {
	for _, m := range sampleMessages() {
		f.Add(simplex.Encode(m))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := simplex.Decode(data, inspect)
		if err == nil && !bytes.Equal(simplex.Encode(m), data) {
			t.Errorf("%x is not canonical", data)
		}
	})
}

func FuzzDecodeRecord(f *testing.F) {
	for _, r := range sampleRecords() {
		f.Add(simplex.EncodeRecord(r))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := simplex.DecodeRecord(data)
		if err == nil && !bytes.Equal(simplex.EncodeRecord(r), data) {
			t.Errorf("%x is not canonical", data)
		}
	})
}

func FuzzDecodeEvidence(f *testing.F) {
	for _, e := range sampleEvidence() {
		f.Add(e.Encode())
	}
	verifier := &simplex.EvidenceVerifier{Namespace: namespace, Validators: 4, Anchor: anchor, Scheme: newFake(4), Inspect: inspect}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := simplex.DecodeEvidence(data)
		if err != nil {
			return
		}
		if !bytes.Equal(e.Encode(), data) {
			t.Errorf("%x is not canonical", data)
		}
		if verifier.Verify(e) == nil {
			t.Errorf("%x proves an offence of nobody", data)
		}
	})
}

func FuzzInspectBlock(f *testing.F) {
	f.Add((&block.Header{ParentSeed: &sig.Seed{}}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := simplex.InspectBlock(data)
		if err == nil && (digest.Keccak256(l.Header) != l.Hash || !bytes.HasPrefix(data, l.Header) || len(l.Header) > simplex.MaxHeader) {
			t.Errorf("%x: link %+v", data, l)
		}
	})
}
