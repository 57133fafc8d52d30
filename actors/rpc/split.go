package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// submissionTransactions is the tag of a Submission that carries transactions.
const submissionTransactions = 1

// SplitSubmission reads the transactions of a binary body, with recovery ids as wallets write them: the tagged list, or one bare canonical transaction.
// A bare transaction of chain 1 begins with the same byte as the list, so the list is tried first and must fit exactly.
// Spec: node-rpc-cli §3.
func SplitSubmission(body []byte) ([]tx.Encoded, error) {
	list, err := splitList(body)
	if err == nil {
		return list, nil
	}
	t, bare := tx.Decode(body)
	if bare != nil {
		return nil, refuse(http.StatusBadRequest, 1011, firstReason(body, err, bare))
	}
	return []tx.Encoded{tx.EdgeForm(body, t)}, nil
}

// firstReason names the error of the form the body seems to have.
func firstReason(body []byte, list, bare error) string {
	if len(body) > 0 && body[0] == submissionTransactions {
		return "as a list of transactions: " + list.Error()
	}
	return bare.Error()
}

func splitList(body []byte) ([]tx.Encoded, error) {
	r := codec.NewReader(body)
	if tag := r.U8(); r.Err() == nil && tag != submissionTransactions {
		r.Fail(codec.ErrInvalid, 0)
	}
	n := r.Len(0, 1_000, 1)
	if r.Err() != nil {
		return nil, r.Err()
	}
	list := make([]tx.Encoded, 0, min(n, 64))
	for range n {
		start := r.Offset()
		t, err := tx.Read(r)
		if err != nil {
			return nil, err
		}
		list = append(list, tx.EdgeForm(body[start:r.Offset()], t))
	}
	return list, r.Finish()
}
