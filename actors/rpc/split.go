package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// submissionTransactions is the tag of a Submission that carries transactions.
const submissionTransactions = 1

// SplitSubmission gives the encoded transactions of a binary body: the tagged list, or one bare canonical transaction.
// A bare transaction of chain 1 begins with the same byte as the list, so the list is tried first and must fit exactly.
// Spec: node-rpc-cli §3.
func SplitSubmission(body []byte) ([][]byte, error) {
	if list, err := splitList(body); err == nil {
		return list, nil
	} else if _, bare := tx.Decode(body); bare != nil {
		return nil, refuse(http.StatusBadRequest, 1011, firstReason(body, err, bare))
	}
	return [][]byte{body}, nil
}

// firstReason names the error of the form the body seems to have.
func firstReason(body []byte, list, bare error) string {
	if len(body) > 0 && body[0] == submissionTransactions {
		return "as a list of transactions: " + list.Error()
	}
	return bare.Error()
}

func splitList(body []byte) ([][]byte, error) {
	r := codec.NewReader(body)
	if tag := r.U8(); r.Err() == nil && tag != submissionTransactions {
		r.Fail(codec.ErrInvalid, 0)
	}
	n := r.Len(0, 1_000, 1)
	if r.Err() != nil {
		return nil, r.Err()
	}
	list := make([][]byte, 0, min(n, 64))
	for range n {
		start := r.Offset()
		if _, err := tx.Read(r); err != nil {
			return nil, err
		}
		list = append(list, body[start:r.Offset()])
	}
	return list, r.Finish()
}
