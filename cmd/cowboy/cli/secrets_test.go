package cli

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// What is sealed here opens for whoever has the master secret's partial, and for nobody else; two sealings share nothing.
//
// Spec: secrets-cbss §3, §4.
func TestSealing(t *testing.T) {
	master, err := drawScalar()
	if err != nil {
		t.Fatal(err)
	}
	owner := account.Address{1}
	made := func() *sealing {
		s := &sealing{of: owner, key: cbss.KeyHash(owner, "KEY"), to: cbss.Identity{
			ChainID: 1, Secret: cbss.SecretID{Account: owner, KeyHash: cbss.KeyHash(owner, "KEY")}, Version: 1, Epoch: 1, Master: master.Public(),
		}}
		if err := s.encrypt([]byte("sk-test")); err != nil {
			t.Fatal(err)
		}
		return s
	}
	s, again := made(), made()
	if s.envelope.Ephemeral == again.envelope.Ephemeral || s.envelope.Nonce == again.envelope.Nonce || string(s.payload) == string(again.payload) {
		t.Error("two sealings are alike")
	}
	with := s.sealed(nil)
	e, err := cbss.ParseEnvelope(with.Wrapped)
	if err != nil || with.Pointer[0] != byte(secret.Inline) || with.Epoch != 1 {
		t.Fatalf("%+v %v", with, err)
	}
	key, err := e.Open(cbss.Sign(master, &s.to))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := cbss.OpenPayload(key, s.to.Bytes(), with.Pointer[1:]); err != nil || string(plain) != "sk-test" {
		t.Errorf("%q %v", plain, err)
	}
	other := s.to
	other.Version++
	if _, err := e.Open(cbss.Sign(master, &other)); err != cbss.ErrOpen {
		t.Errorf("another version's partial: %v", err)
	}
}
