package rpc

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/stream"
)

// paidStreams adds the calls about managed streams. What streams carry is read from their actors, by queries.
//
// Spec: gateway-payments-streams §E.
func (s *server) paidStreams(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /paid-stream/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Stream(h) }))
	mux.HandleFunc("GET /paid-stream/{hash}/access/{addr}", func(w http.ResponseWriter, r *http.Request) {
		addr, err := account.ReadAddress(r.PathValue("addr"))
		if err != nil {
			s.fail(w, badAddress(err))
			return
		}
		s.byHash(func(h digest.Hash) (any, error) { return b.StreamAccess(h, addr) })(w, r)
	})
	mux.HandleFunc("GET /paid-stream/{hash}/key/{epoch}", func(w http.ResponseWriter, r *http.Request) {
		epoch, err := strconv.ParseUint(r.PathValue("epoch"), 10, 64)
		if err != nil {
			s.fail(w, badRequest("a key epoch is a decimal number"))
			return
		}
		s.byHash(func(h digest.Hash) (any, error) { return b.ContentKey(h, epoch) })(w, r)
	})
	mux.HandleFunc("GET /account/{addr}/stream-keys", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.StreamKeys(a) }))
	mux.HandleFunc("GET /seal-requests", func(w http.ResponseWriter, r *http.Request) {
		from, err := number(r, "cursor", 0)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := b.SealRequests(from)
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /account/{addr}/seal-requests", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		from, err := number(r, "cursor", 0)
		if err != nil {
			return nil, err
		}
		return b.SealRequestsOf(a, from)
	}))
}

// paidStreamCalls describes them.
func paidStreamCalls() []Call {
	return []Call{
		{"get", "/paid-stream/{hash}", "how access to a managed stream is sold", nil, "", wire.Stream{}},
		{"get", "/paid-stream/{hash}/access/{addr}", "up to which key epoch an account has access to a stream", nil, "", wire.StreamAccess{}},
		{"get", "/paid-stream/{hash}/key/{epoch}", "the wrapped key of an epoch of a stream", nil, "", wire.ContentKey{}},
		{"get", "/account/{addr}/stream-keys", "the keys to which an account has keys of streams sealed", nil, "", wire.StreamKeys{}},
		{"get", "/seal-requests", "requests to seal keys of streams for accounts, by number", []string{
			"cursor:integer:requests from this number on",
		}, "", wire.SealRequests{}},
		{"get", "/account/{addr}/seal-requests", "those of an account, likewise", []string{
			"cursor:integer:requests from this number on",
		}, "", wire.SealRequests{}},
	}
}

// Stream implements Backend. Spec: gateway-payments-streams §E.1 (PaidStreamConfig).
func (n *Node) Stream(id digest.Hash) (v wire.Stream, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	c, err := stream.LoadConfig(t.State, id)
	if errors.Is(err, stream.ErrManaged) {
		return v, refuse(http.StatusNotFound, 4004, err.Error())
	}
	if err != nil {
		return v, err
	}
	return wire.ViewStream(id, c, c.Epoch(t.Header.Height+1)), nil
}

// StreamAccess implements Backend. Spec: gateway-payments-streams §E.1 (StreamEntitlement).
func (n *Node) StreamAccess(id digest.Hash, of account.Address) (wire.StreamAccess, error) {
	v := wire.StreamAccess{StreamID: wire.Hash(id), Account: of.String()}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	a, err := stream.LoadAccess(t.State, id, of)
	if err == nil && a.End > 0 {
		a.End--
		v.ActiveFromKeyEpoch, v.ActiveUntilKeyEpoch = &a.First, &a.End
	}
	return v, err
}

// ContentKey implements Backend. Spec: gateway-payments-streams §E.1 (content keys).
func (n *Node) ContentKey(id digest.Hash, epoch uint64) (v wire.ContentKey, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	wrapped, err := stream.LoadContent(t.State, id, epoch)
	if err == nil && wrapped == nil {
		err = errNotFound
	}
	return wire.ContentKey{StreamID: wire.Hash(id), KeyEpoch: epoch, Wrapped: wire.Hex(wrapped)}, err
}

// StreamKeys implements Backend. Spec: gateway-payments-streams §E.1 (AccountKeyRegistration).
func (n *Node) StreamKeys(of account.Address) (wire.StreamKeys, error) {
	v := wire.StreamKeys{Account: of.String(), Keys: []wire.StreamKey{}}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	k, err := stream.LoadKeys(t.State, of)
	if err != nil || k == nil {
		return v, err
	}
	v.Generation = k.Generation
	for _, one := range k.Active {
		v.Keys = append(v.Keys, wire.StreamKey{AccountKeyID: one.Number, PublicKey: wire.Hex(one.Public[:]), RegisteredAt: uint64(one.Registered)})
	}
	return v, nil
}

// SealRequests implements Backend. Spec: gateway-payments-streams §E.2 (SealRequest).
func (n *Node) SealRequests(from uint64) (wire.SealRequests, error) {
	return n.sealRequests(func(r state.Reader) ([]uint64, uint64, error) { return stream.Requests(r, from, defaultPage) })
}

// SealRequestsOf implements Backend. Spec: gateway-payments-streams §E.2 (SealRequest).
func (n *Node) SealRequestsOf(of account.Address, from uint64) (wire.SealRequests, error) {
	return n.sealRequests(func(r state.Reader) ([]uint64, uint64, error) { return stream.RequestsOf(r, of, from, defaultPage) })
}

// sealRequests shows the page of requests that list gives.
func (n *Node) sealRequests(list func(r state.Reader) (numbers []uint64, next uint64, err error)) (wire.SealRequests, error) {
	v := wire.SealRequests{Requests: []wire.SealRequest{}}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	numbers, next, err := list(t.State)
	if err != nil {
		return v, err
	}
	v.NextCursor = next
	for _, number := range numbers {
		q, status, err := stream.LoadRequest(t.State, number, t.Header.Height+1)
		if err != nil {
			return v, err
		}
		v.Requests = append(v.Requests, wire.ViewSealRequest(number, q, status))
	}
	return v, nil
}
