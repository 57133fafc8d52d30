package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Revocation says that a key of CBFS speaks for its wallet no more, whatever certificates there are. It stays: a certificate may be made at any time, and who
// wants to go on uses another key.
//
// Spec: storage-cbfs §2.2 (ras:revocation), §2.5 (DelegationCert), §3.4.
type Revocation struct {
	At unit.Height // of the block it was made in
}

// Encode is the record in state: UInt height.
func (r *Revocation) Encode() []byte { return codec.AppendUint(nil, uint64(r.At)) }

// DecodeRevocation reads what Encode wrote.
func DecodeRevocation(data []byte) (*Revocation, error) {
	in := codec.NewReader(data)
	r := &Revocation{At: unit.Height(in.Uint())}
	return r, in.Finish()
}

// LoadRevocation tells whether a key of CBFS was revoked by a wallet; nil where it was not.
func LoadRevocation(r state.Reader, wallet account.Address, key digest.Hash) (*Revocation, error) {
	return state.Find(r, under(underRevoked, wallet[:], key[:]), DecodeRevocation)
}

// RevokeKey ends what a key of CBFS may do for a wallet. Again it changes nothing. Reject: ErrInvalid for the zero key.
//
// Spec: storage-cbfs §3.4 (auth/revoke).
func (m *Manager) RevokeKey(wallet account.Address, key digest.Hash) error {
	if key.IsZero() {
		return ErrInvalid
	}
	known, err := LoadRevocation(m.State, wallet, key)
	if err != nil || known != nil {
		return err
	}
	r := Revocation{At: m.Height}
	m.State.Set(under(underRevoked, wallet[:], key[:]), r.Encode())
	m.Emit(TopicKeyRevoked, append(append([]byte(nil), wallet[:]...), key[:]...))
	return nil
}
