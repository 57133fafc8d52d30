package replica

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

func frames() []PeerMessage {
	b := blockAt(5)
	vote := simplex.Vote{Kind: sig.Notarization, Subject: subjectOf(b), Signer: 2, Signature: sig.BLSSignature{1}, Partial: sig.BLSSignature{2}}
	return []PeerMessage{
		&Agreement{3, &vote},
		&Agreement{3, &simplex.Propose{Vote: vote, Block: b.Encode()}},
		&Agreement{0, &simplex.Request{ID: 9, Views: []uint64{4, 8}}},
		&Introduction{7, sig.BLSSignature{5}},
		&IntroductionRequest{},
		&BlockRequest{digest.Hash{6}},
		&BlockResponse{b.Encode()},
	}
}

// Every frame comes back as it was, and no part of one is a frame.
//
// Spec: commonware §1.3.
func TestFrames(t *testing.T) {
	for _, f := range frames() {
		data := f.append(nil)
		back, err := DecodePeerMessage(data)
		if err != nil || !bytes.Equal(back.append(nil), data) {
			t.Errorf("%T: %v", f, err)
		}
		if _, err := DecodePeerMessage(append(bytes.Clone(data), 0)); err == nil {
			t.Errorf("%T with a byte behind it is taken", f)
		}
		for cut := range data {
			if _, err := DecodePeerMessage(data[:cut]); err == nil {
				t.Errorf("%T cut at byte %d of %d is taken", f, cut, len(data))
			}
		}
	}
	if _, err := DecodePeerMessage([]byte{messageTags}); err == nil {
		t.Error("an unknown tag is taken")
	}
}

func FuzzFrame(f *testing.F) {
	for _, x := range frames() {
		f.Add(x.append(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := DecodePeerMessage(data)
		if err == nil && !bytes.Equal(x.append(nil), data) {
			t.Errorf("%T has two encodings", x)
		}
	})
}
