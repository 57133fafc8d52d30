package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Vouch gives the encoding of a dealer's log with the dealer's signature behind it, for an account to post that is not the dealer's. The error is the Key's.
// Spec: commonware §4.3 (3).
func (i *Info) Vouch(l *Log, key Key) ([]byte, error) {
	signature, err := key.Attest(i.preimage(dealt, l.Dealer, l.Commitment))
	return append(l.Encode(), signature[:]...), err
}

// Vouched gives ErrRank or ErrDealer unless a signature is the dealer's of the log's commitment. Who acknowledged it Check sees.
// Spec: commonware §4.3 (3).
func (i *Info) Vouched(l *Log, signature sig.BLSSignature) error {
	if int(l.Dealer) >= len(i.Dealers) {
		return ErrRank
	}
	if bls.Verify(i.Dealers[l.Dealer], i.preimage(dealt, l.Dealer, l.Commitment), signature) != nil {
		return ErrDealer
	}
	return nil
}

// DecodePosted reads a log as it is posted: what Encode wrote, or Vouch with the signature. Neither can be read as the other, since the encoding says where it
// ends. Its error is DecodeLog's.
func DecodePosted(data []byte) (*Log, *sig.BLSSignature, error) {
	l, err := DecodeLog(data)
	if err == nil || len(data) < sig.BLSSignatureSize {
		return l, nil, err
	}
	at := len(data) - sig.BLSSignatureSize
	l, vouched := DecodeLog(data[:at])
	if vouched != nil {
		return nil, nil, err
	}
	signature := sig.BLSSignature(data[at:])
	return l, &signature, nil
}
