package gateway

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// chainPath is where light clients follow the chain through a gateway, which they need not believe.
const chainPath = "/_cowboy/chain/"

// provable are the paths that light clients ask for: certificates of final blocks and of epochs, and proofs of what a block, or the state after it, has.
var provable = regexp.MustCompile(
	`^/(light/final(/\d{1,20})?|light/(epoch-proof|trust)/\d{1,20}|proof/(account|actor)/(0x)?[0-9a-fA-F]{40}|` +
		`proof/(storage|record)/(0x)?[0-9a-fA-F]{40}/(0x)?[0-9a-fA-F]{2,512}|proof/(tx|receipt)/(0x)?[0-9a-fA-F]{64})$`)

// proof answers a light client with what the node says. Whoever trusts a set of validators, or a hash, checks it against that: neither the gateway nor its node
// can make it say anything false.
//
// Spec: WP §2.5; gateway-payments-streams §B (paths under /_cowboy/).
func (d *Door) proof(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, strings.TrimSuffix(chainPath, "/"))
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, errMethod, "this is read with GET")
		return
	case !provable.MatchString(path):
		refuse(w, http.StatusNotFound, errNoSuchPath, "the gateway proves nothing of this name")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), nodeWithin)
	defer cancel()
	body, err := d.Node.Proof(ctx, path)
	var refused *Refused
	if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError {
		refuse(w, refused.Status, errNoSuchPath, refused.Text)
		return
	}
	if err != nil {
		unreachable(w, err)
		return
	}
	if private(body) {
		refuse(w, http.StatusNotFound, errNoSuchPath, "the gateway proves nothing of this name")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Access-Control-Allow-Origin", "*") // a page of any actor may check what it shows
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body)
}

// private reports whether a proof is of a receipt that is not for everybody. A gateway knows no client again, so it proves none of them.
//
// Spec: gateway-payments-streams §C (private receipts).
func private(body []byte) bool {
	var p wire.Proof
	if json.Unmarshal(body, &p) != nil {
		return false
	}
	key, err := hex.DecodeString(strings.TrimPrefix(p.StateKey, "0x"))
	if err != nil || !bytes.HasPrefix(key, account.Key(account.KindRecord, receipt.Home(), receipt.Name(nil)...)) {
		return false
	}
	value, err := hex.DecodeString(strings.TrimPrefix(p.Value, "0x"))
	if err != nil {
		return true
	}
	c, err := receipt.Decode(value)
	return p.Value != "" && (err != nil || c.Private)
}
