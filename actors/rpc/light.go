package rpc

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// finalDepth bounds the headers between a block and the next one above that has a finalization of its own: a range of package catchup.
const finalDepth = 1024

// isGone reports whether an answer is that something is not kept any more.
func isGone(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Status == http.StatusGone
}

// errNoRegistry answers where the chain has no validator registry to prove.
var errNoRegistry = refuse(http.StatusNotFound, 4004, "this chain has no validator registry, so a light client cannot follow it")

// absence says that something is not kept any more, and from which height on it is.
func absence(err error) error {
	var pruned *store.PrunedError
	if !errors.As(err, &pruned) {
		return nil
	}
	return refuse(http.StatusGone, 4010, pruned.Error())
}

// EpochProof implements Backend. Spec: WP "Validator Set"; commonware §5.6.
func (n *Node) EpochProof(epoch uint64) (wire.EpochProof, error) {
	x, err := n.Ledger.EpochProof(epoch)
	if err != nil {
		return wire.EpochProof{}, refusal(err)
	}
	return wire.EpochProof{Epoch: epoch, Height: uint64(x.Header.Height), Encoded: wire.Hex(x.Encode())}, nil
}

// Trust implements Backend. Spec: commonware §5.6.
func (n *Node) Trust(height uint64) (wire.Trust, error) {
	header, err := n.Ledger.Header(unit.Height(height))
	if err != nil {
		return wire.Trust{}, refusal(err)
	}
	after, err := n.stateAt(unit.Height(height))
	if err != nil {
		return wire.Trust{}, err
	}
	t, err := light.NewTrust(header, after)
	if errors.Is(err, stake.ErrNoEpoch) {
		return wire.Trust{}, errNoRegistry
	}
	if err != nil {
		return wire.Trust{}, err
	}
	return wire.Trust{Height: height, Hash: wire.Hash(header.Hash()), Encoded: wire.Hex(t.Encode())}, nil
}

// Final implements Backend. Spec: WP §6.1; commonware §3.8.
func (n *Node) Final(height uint64) (wire.Final, error) {
	var headers []*block.Header
	for h := unit.Height(height); h < unit.Height(height)+finalDepth; h++ {
		header, err := n.Ledger.Header(h)
		if err != nil {
			return wire.Final{}, refusal(err)
		}
		headers = append(headers, header)
		certificates, err := n.Ledger.Certificates(h)
		if err != nil {
			return wire.Final{}, refusal(err)
		}
		if c := finalization(certificates, header.Hash()); c != nil {
			return viewFinal(headers, c), nil
		}
	}
	return wire.Final{}, errNotFound
}

// Newest implements Backend.
func (n *Node) Newest() (wire.Final, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Final{}, err
	}
	for h := t.Header.Height; h > 0 && h+finalDepth > t.Header.Height; h-- {
		header, err := n.Ledger.Header(h)
		if err != nil {
			return wire.Final{}, refusal(err)
		}
		certificates, err := n.Ledger.Certificates(h)
		if err != nil {
			return wire.Final{}, refusal(err)
		}
		if c := finalization(certificates, header.Hash()); c != nil {
			return viewFinal([]*block.Header{header}, c), nil
		}
	}
	return wire.Final{}, errNotFound
}

func finalization(certificates []*sig.Certificate, hash digest.Hash) *sig.Certificate {
	for _, c := range certificates {
		if c.Kind == sig.Finalization && c.Subject.BlockHash == hash {
			return c
		}
	}
	return nil
}

// viewFinal gives headers with the certified one first, each the parent of the one before.
func viewFinal(headers []*block.Header, c *sig.Certificate) wire.Final {
	last := headers[len(headers)-1]
	w := wire.Final{Height: uint64(last.Height), Epoch: last.Epoch, Hash: wire.Hash(last.Hash()), Certificate: wire.Hex(c.Encode())}
	for i := len(headers) - 1; i >= 0; i-- {
		w.Headers = append(w.Headers, wire.Hex(headers[i].Encode()))
	}
	return w
}

// light adds the calls of a light client.
func (s *server) light(mux *http.ServeMux) {
	b := s.Backend
	numbered := func(read func(n uint64) (any, error)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			n, err := strconv.ParseUint(r.PathValue("number"), 10, 63)
			if err != nil {
				s.fail(w, badRequest("an epoch or a height is a decimal number"))
				return
			}
			value, err := read(n)
			s.answer(w, value, err)
		}
	}
	mux.HandleFunc("GET /light/epoch-proof/{number}", numbered(func(n uint64) (any, error) { return b.EpochProof(n) }))
	mux.HandleFunc("GET /light/trust/{number}", numbered(func(n uint64) (any, error) { return b.Trust(n) }))
	mux.HandleFunc("GET /light/final/{number}", numbered(func(n uint64) (any, error) { return b.Final(n) }))
	mux.HandleFunc("GET /light/final", func(w http.ResponseWriter, _ *http.Request) {
		value, err := b.Newest()
		s.answer(w, value, err)
	})
}

// lightCalls describes them.
func lightCalls() []Call {
	return []Call{
		{"get", "/light/final", "the newest header with a finalization certificate of its own", nil, "", wire.Final{}},
		{"get", "/light/final/{number}", "the headers from a height up to the next one with a finalization certificate of its own", nil, "", wire.Final{}},
		{"get", "/light/epoch-proof/{number}", "an epoch's last header, its finalization certificate, and the proof of the next validator set", nil, "",
			wire.EpochProof{}},
		{"get", "/light/trust/{number}", "a header with the proof of its epoch's validator set, for a client that trusts its hash", nil, "", wire.Trust{}},
	}
}
