package tx

import "github.com/cowboyinc/cowboy-go/chain/sig"

// Encoded is a transaction as it came in: its bytes, and what was read from them, so that nobody reads them again. Tx is nil where the bytes are no
// transaction, which is for whoever admits transactions to refuse.
type Encoded struct {
	Raw []byte
	Tx  *Tx
}

// FromEdge reads a transaction with its signatures in the wire form, whichever of the forms of wallets they are in (v 0, 1, 27 or 28). What is
// no transaction, and what has a signature that is in none of these forms, stays as it is, for its reader to refuse. Only the edges of the
// system (RPC, command line) call it. The identity of a transaction is the hash of its unsigned part and stays.
//
// Spec: commonware §0 (27 and 28 accepted at the RPC and CLI edges).
func FromEdge(raw []byte) Encoded {
	t, err := Decode(raw)
	if err != nil {
		return Encoded{Raw: raw}
	}
	return EdgeForm(raw, t)
}

// EdgeForm is FromEdge for bytes that t was read from; it may change t.
func EdgeForm(raw []byte, t *Tx) Encoded {
	changed := wire(&t.Signature)
	for i := range t.AdditionalSigners {
		changed = wire(&t.AdditionalSigners[i].Signature) || changed
	}
	if changed {
		raw = t.Encode()
	}
	return Encoded{raw, t}
}

// wire puts a signature into the wire form and reports whether that changed it.
func wire(s *sig.Signature) bool {
	made, err := sig.FromEdge(s[:])
	if err != nil || made == *s {
		return false
	}
	*s = made
	return true
}
