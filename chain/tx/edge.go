package tx

import "github.com/cowboyinc/cowboy-go/chain/sig"

// FromEdge gives an encoded transaction with its signatures in the wire form, whichever of the forms of wallets they are in (v 0, 1, 27 or 28). What is
// no transaction, and what has a signature that is in none of these forms, comes back as it is, for its reader to refuse. Only the edges of the
// system (RPC, command line) call it. The identity of a transaction is the hash of its unsigned part and stays.
//
// Spec: commonware §0 (27 and 28 accepted at the RPC and CLI edges).
func FromEdge(data []byte) []byte {
	t, err := Decode(data)
	if err != nil {
		return data
	}
	changed := wire(&t.Signature)
	for i := range t.AdditionalSigners {
		changed = wire(&t.AdditionalSigners[i].Signature) || changed
	}
	if !changed {
		return data
	}
	return t.Encode()
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
