package accounts

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// ErrPath reports a transaction that the account API has no path for, or whose volume's name it does not say.
var ErrPath = errors.New("the account API has no path for this transaction, or its volume's name is to be said")

// Path is where a transaction is handed in. name is the volume's; "" for the one in the transaction's arguments. Error: ErrPath.
//
// Spec: storage-cbfs §3.4.
func Path(t *tx.Tx, name string) (method, target string, err error) {
	in, ok := t.Instruction.(*tx.Execute)
	if !ok {
		return "", "", ErrPath
	}
	handler := string(in.Handler)
	switch handler {
	case systemvolume.HandlerRevokeKey:
		return http.MethodPost, "/ras/auth/revoke", nil
	case systemvolume.HandlerCreate:
		return http.MethodPost, "/ras/volumes", nil
	}
	if v, err := cbor.Parse(in.Payload); err == nil && name == "" {
		given, _ := v.(cbor.Map)
		said, _ := given.Lookup("name")
		name, _ = said.(string)
	}
	target = "/ras/volumes/" + url.PathEscape(name)
	switch {
	case name == "":
		return "", "", ErrPath
	case handler == systemvolume.HandlerDelete:
		return http.MethodDelete, target, nil
	case slices.Contains(updates[:], handler):
		return http.MethodPut, target + "/" + handler, nil
	}
	return "", "", ErrPath
}
