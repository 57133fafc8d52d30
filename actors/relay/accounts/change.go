package accounts

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// Bounds of changes.
const (
	maxBody    = 2*params.MaxTxBytes + 1<<10 // a transaction in hex, and the JSON around it
	sendWithin = 10 * time.Second
)

// updates are the handlers that a path may name behind a volume: the owner's calls about one volume.
var updates = [...]string{
	systemvolume.HandlerUndelete, systemvolume.HandlerTransfer, systemvolume.HandlerExpiry, systemvolume.HandlerTopUp, systemvolume.HandlerGrant,
	systemvolume.HandlerNarrow, systemvolume.HandlerRevoke, systemvolume.HandlerCommit, systemvolume.HandlerWrap,
}

// Sent is the answer to a change: the relay's node has it. Whether it succeeds its receipt shows.
type Sent struct {
	Hash     string `json:"tx_hash"`
	Handler  string `json:"handler"`
	VolumeID string `json:"volume_id,omitempty"`
	Key      string `json:"cbfs_public_key,omitempty"` // that is revoked
}

// Node is what takes transactions.
type Node interface {
	// Submit hands a transaction in. Error: a *Refusal with what the node says, or that none answers.
	Submit(ctx context.Context, transaction []byte) error
}

// change is a transaction that a caller's wallet has signed.
type change struct {
	raw     []byte
	hash    digest.Hash
	handler string
	given   cbor.Map
}

func wrongChange(why string) *Refusal { return refuse(http.StatusBadRequest, codeChange, why) }

// transaction reads the transaction of a body: as bytes, or in JSON as {"tx": hex}. Refusal: codeRequest.
//
// Spec: node-rpc-cli §3.
func transaction(r *http.Request, body []byte) ([]byte, error) {
	switch kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind {
	case "application/octet-stream":
		return body, nil
	case "application/json":
		var given struct {
			Tx string `json:"tx"`
		}
		if json.Unmarshal(body, &given) == nil {
			if raw, err := hex.DecodeString(strings.TrimPrefix(given.Tx, "0x")); err == nil {
				return raw, nil
			}
		}
		return nil, refuse(http.StatusBadRequest, codeRequest, `the body is {"tx": "…"}, a transaction in hexadecimal digits`)
	}
	return nil, refuse(http.StatusBadRequest, codeRequest, "Content-Type is application/octet-stream, of a transaction, or application/json")
}

// changeOf reads the transaction of a request and holds it to the caller's wallet and to a handler of 0x0A. Refusals: codeRequest, codeChange.
//
// Spec: storage-cbfs §3.1, §3.4.
func (s *Server) changeOf(r *http.Request, c *caller, handler string) (*change, error) {
	raw, err := transaction(r, c.body)
	if err != nil {
		return nil, err
	}
	read := tx.FromEdge(raw)
	if read.Tx == nil {
		return nil, wrongChange("the bytes are not one canonical transaction")
	}
	if read.Tx.From != c.Wallet {
		return nil, refuse(http.StatusForbidden, codeChange, fmt.Sprintf("it is of %s, and the certificate of %s", read.Tx.From, c.Wallet))
	}
	in, ok := read.Tx.Instruction.(*tx.Execute)
	if !ok || in.To != volume.Home() || string(in.Handler) != handler {
		return nil, wrongChange(fmt.Sprintf("this path takes a call of %s at %s", handler, volume.Home()))
	}
	v, err := cbor.Parse(in.Payload)
	given, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, wrongChange("its arguments are a map in canonical CBOR")
	}
	verified, err := tx.Verify(read.Tx, s.Network.ChainID, sig.Default())
	if err != nil {
		return nil, wrongChange(err.Error())
	}
	return &change{read.Raw, verified.Hash(), handler, given}, nil
}

// octets gives an argument of so many bytes: as bytes, or as hexadecimal digits.
func (c *change) octets(name string, size int) ([]byte, bool) {
	v, _ := c.given.Lookup(name)
	raw, ok := v.([]byte)
	if text, is := v.(string); is {
		var err error
		raw, err = hex.DecodeString(strings.TrimPrefix(text, "0x"))
		ok = err == nil
	}
	return raw, ok && len(raw) == size
}

// volumeID is the volume that a change names, by its identity or by the name it was made under.
func (c *change) volumeID(by *caller) (digest.Hash, bool) {
	if raw, ok := c.octets("volume_id", digest.Size); ok {
		return digest.Hash(raw), true
	}
	if _, there := c.given.Lookup("volume_id"); there {
		return digest.Hash{}, false
	}
	v, _ := c.given.Lookup("name")
	name, ok := v.(string)
	return cbfs.VolumeID(by.Wallet, name), ok
}

// send hands a change to the node. Refusals: the node's, codeNode.
func (s *Server) send(r *http.Request, c *change, said Sent) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), sendWithin)
	defer cancel()
	err := s.Chain.Submit(ctx, c.raw)
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, refusal
	case err != nil:
		return nil, refuse(http.StatusServiceUnavailable, codeNode, "no node of this relay's answers")
	}
	said.Hash, said.Handler = wire.Hash(c.hash), c.handler
	return said, nil
}

func (s *Server) revoke(r *http.Request, by *caller) (any, error) {
	c, err := s.changeOf(r, by, systemvolume.HandlerRevokeKey)
	if err != nil {
		return nil, err
	}
	key, ok := c.octets("cbfs_public_key", digest.Size)
	if !ok {
		return nil, wrongChange("it revokes a cbfs_public_key of 32 bytes")
	}
	return s.send(r, c, Sent{Key: wire.Hash(digest.Hash(key))})
}

func (s *Server) create(r *http.Request, by *caller) (any, error) {
	c, err := s.changeOf(r, by, systemvolume.HandlerCreate)
	if err != nil {
		return nil, err
	}
	v, _ := c.given.Lookup("name")
	name, _ := v.(string)
	if cbfs.CheckName(name) != nil {
		return nil, wrongChange("it makes a volume whose name is none")
	}
	return s.send(r, c, Sent{VolumeID: wire.Hash(cbfs.VolumeID(by.Wallet, name))})
}

func (s *Server) remove(r *http.Request, by *caller) (any, error) {
	return s.update(r, by, systemvolume.HandlerDelete)
}

func (s *Server) put(r *http.Request, by *caller) (any, error) {
	handler := r.PathValue("handler")
	if !slices.Contains(updates[:], handler) {
		return nil, refuse(http.StatusNotFound, codeNoCall, "the path ends with one of "+strings.Join(updates[:], ", "))
	}
	return s.update(r, by, handler)
}

// update hands in a call about the volume that the path names.
func (s *Server) update(r *http.Request, by *caller, handler string) (any, error) {
	c, err := s.changeOf(r, by, handler)
	if err != nil {
		return nil, err
	}
	_, known, err := s.named(r, by)
	if err != nil {
		return nil, err
	}
	if handler == systemvolume.HandlerNarrow || handler == systemvolume.HandlerRevoke {
		err = s.ofToken(r, c, known.VolumeID)
	} else if id, ok := c.volumeID(by); !ok || wire.Hash(id) != known.VolumeID {
		err = wrongChange("it is about another volume than the path")
	}
	if err != nil {
		return nil, err
	}
	return s.send(r, c, Sent{VolumeID: known.VolumeID})
}

// ofToken holds the token that a change is about to a volume, newest state first: it may have been granted just now.
func (s *Server) ofToken(r *http.Request, c *change, volumeID string) error {
	token, ok := c.octets("token_id", cbfs.TokenIDSize)
	id, err := digest.ParseHash(volumeID)
	if !ok || err != nil {
		return wrongChange("it is about no token_id of 16 bytes")
	}
	v, err := s.Directory.Volume(reach.For(r.Context(), sourceOf(r)), id, true)
	switch {
	case err != nil && !errors.Is(err, reach.ErrUnknown):
		return viewed(err)
	case err != nil || !slices.ContainsFunc(v.Tokens, func(t reach.Token) bool { return t.ID == [cbfs.TokenIDSize]byte(token) }):
		return wrongChange("the volume of the path has no such token")
	}
	return nil
}
