package proxy

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

func filled(n byte) digest.Hash { return digest.Hash(bytes.Repeat([]byte{n}, digest.Size)) }

// TestVectorsOfMessages: what proxies sign and number among each other is, byte for byte, what another program makes (chain/cbss/testdata/hidden.mjs).
//
// Spec: secrets-cbss §3 (making keys).
func TestVectorsOfMessages(t *testing.T) {
	raw, err := os.ReadFile("../../chain/cbss/testdata/hidden.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Chain    uint64
		Account  string
		Hidden   [][]string
		Messages struct{ Session, Ack, Proposal, Hash, Vote string }
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	hidden := make([][]cbss.Key, len(v.Hidden))
	for i, list := range v.Hidden {
		for _, text := range list {
			point, err := hex.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			hidden[i] = append(hidden[i], cbss.Key(point))
		}
	}
	of, err := account.ReadAddress(v.Account)
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{
		Scope: secret.AccountScope(of), Quorum: 3, Requested: 900, Committee: []digest.Hash{filled(1), filled(2), filled(3), filled(4), filled(5)},
	}
	session := task.session(v.Chain)
	p := &proposal{members: []uint32{1, 2, 4}}
	for _, dealer := range []uint32{1, 3} {
		l := log{dealer: dealer, commitments: hidden[dealer-1]}
		for _, m := range p.members {
			l.acks = append(l.acks, mark{m, sig.Signature(bytes.Repeat([]byte{byte(16*dealer + m)}, sig.SignatureSize))})
		}
		p.logs = append(p.logs, l)
	}
	ack, hash := ackHash(session, 3, hashOf(hidden[2])), p.hash(session)
	vote := voteHash(hash)
	for _, c := range []struct {
		what string
		got  []byte
		want string
	}{
		{"session", session[:], v.Messages.Session}, {"acknowledgement", ack[:], v.Messages.Ack}, {"proposal", p.encode(), v.Messages.Proposal},
		{"proposal's hash", hash[:], v.Messages.Hash}, {"vote", vote[:], v.Messages.Vote},
	} {
		t.Run(c.what, func(t *testing.T) {
			if hex.EncodeToString(c.got) != c.want {
				t.Errorf("%x, want %s", c.got, c.want)
			}
		})
	}
	r := codec.NewReader(p.encode())
	if back := readProposal(r); r.Finish() != nil || back.hash(session) != hash {
		t.Error("the proposal is read otherwise than it was written")
	}
}
