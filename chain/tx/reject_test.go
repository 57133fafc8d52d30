package tx

import (
	"errors"
	"fmt"
	"testing"
)

// The numbers are part of the node's interface. Spec: node-rpc-cli §2.2.
func TestRejectCodes(t *testing.T) {
	for class, code := range map[*Reject]Code{
		ErrSignature: 1001, ErrNonce: 1002, ErrValue: 1003, ErrFunds: 1004, ErrCycles: 1005, ErrCells: 1006,
		ErrOverflow: 1007, ErrBelowBasefee: 1008, ErrMissingSigner: 1009, ErrNotPrivileged: 1230,
	} {
		t.Run(class.Name, func(t *testing.T) {
			if class.Code != code || class.Slug() != fmt.Sprintf("E%d", code) {
				t.Errorf("%s has code %d", class.Name, class.Code)
			}
		})
	}
	if ErrWrongChain.Name != "E_TX_WRONG_CHAIN_ID" {
		t.Error(ErrWrongChain.Name)
	}
	if _, ok := ClassOf(errors.New("disk on fire")); ok {
		t.Error("a failure is no reject")
	}
}
