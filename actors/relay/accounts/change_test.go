package accounts

import (
	"bytes"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// made is a transaction of a wallet's, which change changes before it is signed.
func made(t *testing.T, n byte, handler string, given cbor.Map, change func(made *tx.Tx, in *tx.Execute)) *tx.Tx {
	t.Helper()
	payload, err := cbor.Append(nil, given)
	if err != nil {
		t.Fatal(err)
	}
	in := &tx.Execute{To: volume.Home(), Handler: []byte(handler), Payload: payload}
	one := &tx.Tx{
		ChainID: chainID, From: walletOf(n).Address(), Instruction: in, CyclesLimit: 300_000, CellsLimit: 20_000, MaxFeePerCycle: 1, MaxFeePerCell: 1,
	}
	if change != nil {
		change(one, in)
	}
	one.Signature = walletOf(n).Sign(one.SigningHash())
	return one
}

func named(list ...any) (m cbor.Map) {
	for i := 0; i < len(list); i += 2 {
		m = append(m, cbor.Pair{Key: list[i], Value: list[i+1]})
	}
	return m
}

// A change goes to the node as its wallet has signed it, if it is of the certificate's wallet, calls what the path names, and is about that volume. Nothing
// else goes there.
//
// Spec: storage-cbfs §3.1, §3.4.
func TestChanges(t *testing.T) {
	docs, art := cbfs.VolumeID(walletOf(1).Address(), "docs"), cbfs.VolumeID(walletOf(1).Address(), "art")
	key := bytes.Repeat([]byte{6}, 32)
	const (
		ofDocs = "/ras/volumes/docs"
		expiry = "/ras/volumes/docs/set_expiry"
	)
	until := named("name", "docs", "expires_at", int64(99))
	token := func(n byte) cbor.Map { return named("token_id", append([]byte{n}, make([]byte, 15)...)) }
	newID := wire.Hash(cbfs.VolumeID(walletOf(1).Address(), "new"))
	alter := func(change func(made *tx.Tx)) func(made *tx.Tx, in *tx.Execute) {
		return func(made *tx.Tx, _ *tx.Execute) { change(made) }
	}
	pretend := func(made *tx.Tx) { made.From = walletOf(1).Address() }
	for name, c := range map[string]struct {
		method, target, handler string
		given                   cbor.Map
		change                  func(made *tx.Tx, in *tx.Execute)
		by                      byte // the wallet that signs; 0 for the certificate's
		status, code            int
		volume                  string
	}{
		"create":                     {"POST", "/ras/volumes", "create_volume", named("name", "new"), nil, 0, 202, 0, newID},
		"create without a name":      {"POST", "/ras/volumes", "create_volume", named("k", int64(1)), nil, 0, 400, codeChange, ""},
		"create of no name":          {"POST", "/ras/volumes", "create_volume", named("name", ".new"), nil, 0, 400, codeChange, ""},
		"delete by name":             {"DELETE", ofDocs, "delete_volume", named("name", "docs"), nil, 0, 202, 0, wire.Hash(docs)},
		"delete by identity":         {"DELETE", ofDocs, "delete_volume", named("volume_id", docs[:]), nil, 0, 202, 0, wire.Hash(docs)},
		"delete by identity in hex":  {"DELETE", ofDocs, "delete_volume", named("volume_id", docs.Hex()), nil, 0, 202, 0, wire.Hash(docs)},
		"delete another by name":     {"DELETE", ofDocs, "delete_volume", named("name", "art"), nil, 0, 400, codeChange, ""},
		"delete another by identity": {"DELETE", ofDocs, "delete_volume", named("volume_id", art[:]), nil, 0, 400, codeChange, ""},
		"delete one beside a name":   {"DELETE", ofDocs, "delete_volume", named("volume_id", art[:], "name", "docs"), nil, 0, 400, codeChange, ""},
		"delete half an identity":    {"DELETE", ofDocs, "delete_volume", named("volume_id", docs[:16], "name", "docs"), nil, 0, 400, codeChange, ""},
		"delete nothing":             {"DELETE", ofDocs, "delete_volume", cbor.Map{}, nil, 0, 400, codeChange, ""},
		"delete what there is not":   {"DELETE", "/ras/volumes/none", "delete_volume", named("name", "none"), nil, 0, 404, codeNotFound, ""},
		"expiry":                     {"PUT", expiry, "set_expiry", until, nil, 0, 202, 0, wire.Hash(docs)},
		"another handler":            {"PUT", expiry, "delete_volume", named("name", "docs"), nil, 0, 400, codeChange, ""},
		"a handler of relays":        {"PUT", ofDocs + "/confirm_shards", "confirm_shards", named("name", "docs"), nil, 0, 404, codeNoCall, ""},
		"another wallet":             {"PUT", expiry, "set_expiry", until, nil, 2, 403, codeChange, ""},
		"another's signature":        {"PUT", expiry, "set_expiry", until, alter(pretend), 2, 400, codeChange, ""},
		"another chain":              {"PUT", expiry, "set_expiry", until, alter(func(made *tx.Tx) { made.ChainID++ }), 0, 400, codeChange, ""},
		"another actor":              {"PUT", expiry, "set_expiry", until, func(_ *tx.Tx, in *tx.Execute) { in.To = relay.Home() }, 0, 400, codeChange, ""},
		"another instruction": {"PUT", expiry, "set_expiry", until, func(made *tx.Tx, _ *tx.Execute) {
			made.Instruction = &tx.Transfer{To: account.Address{1}, Amount: 1}
		}, 0, 400, codeChange, ""},
		"arguments in a list":  {"PUT", expiry, "set_expiry", nil, func(_ *tx.Tx, in *tx.Execute) { in.Payload = []byte{0x80} }, 0, 400, codeChange, ""},
		"no arguments":         {"PUT", expiry, "set_expiry", nil, func(_ *tx.Tx, in *tx.Execute) { in.Payload = nil }, 0, 400, codeChange, ""},
		"a token":              {"PUT", ofDocs + "/revoke_token", "revoke_token", token(1), nil, 0, 202, 0, wire.Hash(docs)},
		"another's token":      {"PUT", ofDocs + "/revoke_token", "revoke_token", token(2), nil, 0, 400, codeChange, ""},
		"no token":             {"PUT", ofDocs + "/narrow_token", "narrow_token", named("token_id", []byte{1}), nil, 0, 400, codeChange, ""},
		"a key":                {"POST", "/ras/auth/revoke", "revoke_key", named("cbfs_public_key", key), nil, 0, 202, 0, ""},
		"half a key":           {"POST", "/ras/auth/revoke", "revoke_key", named("cbfs_public_key", key[:16]), nil, 0, 400, codeChange, ""},
		"a volume for a key":   {"POST", "/ras/auth/revoke", "delete_volume", named("name", "docs"), nil, 0, 400, codeChange, ""},
		"a key for a volume":   {"DELETE", ofDocs, "revoke_key", named("cbfs_public_key", key), nil, 0, 400, codeChange, ""},
		"another wallet's key": {"POST", "/ras/auth/revoke", "revoke_key", named("cbfs_public_key", key), nil, 2, 403, codeChange, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			one := made(t, max(c.by, 1), c.handler, c.given, c.change)
			a := d.ask(d.holderOf(1, nil), c.method, c.target, one.Encode())
			if c.status != 202 {
				if a.status != c.status || a.code != c.code || len(d.sent) != 0 {
					t.Errorf("%d %s, %d sent; want %d and E%d", a.status, a.body, len(d.sent), c.status, c.code)
				}
				return
			}
			var said Sent
			a.into(t, c.status, &said)
			if said.Hash != wire.Hash(one.SigningHash()) || said.Handler != c.handler || said.VolumeID != c.volume || len(d.sent) != 1 ||
				!bytes.Equal(d.sent[0], one.Encode()) {
				t.Errorf("%+v, %x sent", said, d.sent)
			}
		})
	}
}

// A transaction comes as bytes or in JSON, with the recovery ids of wallets; the node gets its wire form. Bytes that are none are refused.
//
// Spec: node-rpc-cli §3; commonware §0.
func TestFormsOfTransactions(t *testing.T) {
	one := made(t, 1, "delete_volume", named("name", "docs"), nil)
	old := *one
	old.Signature[64] += 27
	wallets := old.Encode()
	for name, c := range map[string]struct {
		kind   string
		body   []byte
		status int
	}{
		"bytes":                 {"application/octet-stream", one.Encode(), 202},
		"bytes as of a wallet":  {"application/octet-stream", wallets, 202},
		"JSON":                  {"application/json; charset=utf-8", []byte(`{"tx": "` + hex.EncodeToString(one.Encode()) + `"}`), 202},
		"JSON with 0x":          {"application/json", []byte(`{"tx": "0x` + hex.EncodeToString(one.Encode()) + `"}`), 202},
		"JSON of another form":  {"application/json", []byte(`["` + hex.EncodeToString(one.Encode()) + `"]`), 400},
		"no hex":                {"application/json", []byte(`{"tx": "transaction"}`), 400},
		"bytes said to be text": {"text/plain", one.Encode(), 400},
		"a byte more":           {"application/octet-stream", append(one.Encode(), 0), 400},
		"nothing":               {"application/octet-stream", nil, 400},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			r, _ := d.request(d.holderOf(1, nil), http.MethodDelete, "/ras/volumes/docs", c.body)
			r.Header.Set("Content-Type", c.kind)
			a := d.take(r)
			if a.status != c.status || (len(d.sent) == 1) != (c.status == 202) {
				t.Fatalf("%d %s, %d sent", a.status, a.body, len(d.sent))
			}
			if c.status == 202 && !bytes.Equal(d.sent[0], one.Encode()) {
				t.Errorf("%x, want %x", d.sent[0], one.Encode())
			}
		})
	}
}

// What the node refuses is refused with the node's words. A node that does not answer is another thing, and the view of the chain then serves still.
//
// Spec: storage-cbfs §3.4; node-rpc-cli §2.2.
func TestNodesThatRefuse(t *testing.T) {
	d := newDesk(t)
	h := d.holderOf(1, nil)
	remove := made(t, 1, "delete_volume", named("name", "docs"), nil).Encode()
	d.refusal = refuse(400, 1002, "the nonce is 7")
	if a := d.ask(h, http.MethodDelete, "/ras/volumes/docs", remove); a.status != 400 || a.code != 1002 || !strings.Contains(string(a.body), "the nonce is 7") {
		t.Errorf("%d %s", a.status, a.body)
	}
	d.refusal, d.down, d.now = errors.New("connection refused"), true, d.now.Add(time.Minute-time.Second)
	if a := d.ask(h, http.MethodDelete, "/ras/volumes/docs", remove); a.status != 503 || a.code != codeNode {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A volume that the chain has had for a moment is found: the relay looks again for what it does not know.
//
// Spec: storage-cbfs §3.4.
func TestVolumesThatAreNew(t *testing.T) {
	d := newDesk(t)
	h := d.holderOf(1, nil)
	if a := d.ask(h, http.MethodGet, "/ras/volumes/new", nil); a.status != 404 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	id := cbfs.VolumeID(walletOf(1).Address(), "new")
	d.account.Volumes = append(d.account.Volumes, wire.Volume{VolumeID: wire.Hash(id), Name: "new"})
	d.now = d.now.Add(time.Second)
	remove := made(t, 1, "delete_volume", named("name", "new"), nil).Encode()
	if a := d.ask(h, http.MethodDelete, "/ras/volumes/new", remove); a.status != 202 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Where a transaction is handed in follows from what it calls; its volume's name is the one in its arguments, or the one that is said.
//
// Spec: storage-cbfs §3.4.
func TestPaths(t *testing.T) {
	ofDocs, ofNobody := named("name", "docs"), named("token_id", make([]byte, 16))
	for name, c := range map[string]struct {
		handler      string
		given        cbor.Map
		said         string
		method, path string
	}{
		"create":          {"create_volume", ofDocs, "", "POST", "/ras/volumes"},
		"delete":          {"delete_volume", ofDocs, "", "DELETE", "/ras/volumes/docs"},
		"fund":            {"top_up", ofDocs, "art", "PUT", "/ras/volumes/art/top_up"},
		"a token":         {"revoke_token", ofNobody, "docs", "PUT", "/ras/volumes/docs/revoke_token"},
		"a token of none": {"revoke_token", ofNobody, "", "", ""},
		"a key":           {"revoke_key", ofNobody, "", "POST", "/ras/auth/revoke"},
		"a relay's call":  {"confirm_shards", ofDocs, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			method, path, err := Path(made(t, 1, c.handler, c.given, nil), c.said)
			if method != c.method || path != c.path || (err == nil) != (c.path != "") {
				t.Errorf("%s %s %v", method, path, err)
			}
		})
	}
	transfer := made(t, 1, "", nil, func(made *tx.Tx, _ *tx.Execute) { made.Instruction = &tx.Transfer{To: account.Address{1}} })
	if _, _, err := Path(transfer, "docs"); !errors.Is(err, ErrPath) {
		t.Error(err)
	}
}
