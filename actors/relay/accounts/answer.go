package accounts

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// maxPage is how many volumes a page has.
const maxPage = 100

// Challenge is what the next request signs.
//
// Spec: storage-cbfs §3.4 (challenge).
type Challenge struct {
	ID        string `json:"challenge_id"`
	Challenge string `json:"challenge"` // 32 bytes in base64
	Expires   uint64 `json:"expires_at_ms"`
	NodeID    string `json:"node_id"` // which the chain has for this relay
}

// Me is whose certificate a request came with.
//
// Spec: storage-cbfs §2.5 (DelegationCert), §3.4 (auth/me).
type Me struct {
	Wallet  string `json:"wallet_address"`
	Key     string `json:"cbfs_public_key"`
	Scope   string `json:"scope"`
	ChainID uint64 `json:"chain_id"`
	Network string `json:"network"`
	Aud     string `json:"aud"`
	Expires uint64 `json:"expires_at_ms"`
	NodeID  string `json:"node_id"`
}

// Balance is what a wallet has, and what its volumes have. Amounts are base units.
//
// Spec: storage-cbfs §2.2 (AccountStorageSummary), §3.4 (accounts/balance).
type Balance struct {
	Height         uint64    `json:"height"` // of the block all of it is from
	Wallet         string    `json:"wallet_address"`
	Balance        uint64    `json:"balance"` // coins of the wallet itself
	TotalVolumes   uint64    `json:"total_volumes"`
	TotalEffective uint64    `json:"total_effective_bytes"`
	Billed         uint64    `json:"last_billed_epoch"`
	Reserved       uint64    `json:"balance_reserved"`
	Reserves       []Reserve `json:"reserves"`
}

// Reserve is what a volume's rent is paid from.
type Reserve struct {
	VolumeID string `json:"volume_id"`
	Name     string `json:"volume_name"`
	Status   string `json:"status"`
	Reserve  uint64 `json:"reserve"`
	Accrued  uint64 `json:"accrued_fees"`
}

// Volumes is a page of volumes, in the order of their names.
type Volumes struct {
	Height     uint64        `json:"height"`
	Volumes    []wire.Volume `json:"volumes"` // without tokens and placements
	NextCursor string        `json:"next_cursor,omitempty"`
}

// Volume is a volume: what is committed in it and what it pays, its tokens, and where its shards are.
//
// Spec: storage-cbfs §2.2, §2.3, §2.6.
type Volume struct {
	Height uint64 `json:"height"` // of the block the commitment and the billing are from; the placement is at most a minute older or younger
	wire.Volume
	Placement []Slot `json:"placement"`
}

// Slot is a place of a volume, and its relay.
type Slot struct {
	Relay     string `json:"relay"`
	Root      string `json:"confirmed_root,omitempty"`
	Degraded  bool   `json:"degraded"`
	Status    string `json:"relay_status"` // "unknown" where this relay could not look it up now
	Endpoint  string `json:"relay_endpoint,omitempty"`
	Heartbeat uint64 `json:"relay_last_heartbeat,omitempty"`
}

// fresh reports whether a request wants nothing older than a second.
func fresh(r *http.Request) bool { return strings.Contains(r.Header.Get("Cache-Control"), "no-cache") }

// account looks up what a caller's wallet has.
func (s *Server) account(r *http.Request, c *caller, anew bool) (*wire.StorageAccount, error) {
	a, err := s.Directory.Account(reach.For(r.Context(), sourceOf(r)), c.Wallet, anew)
	if err != nil {
		return nil, viewed(err)
	}
	return a, nil
}

func (s *Server) me(_ *http.Request, c *caller) (any, error) {
	return Me{
		c.Wallet.String(), wire.Hash(c.Key), c.Scope, c.ChainID, c.Network, c.Audience, c.ExpiresMs, wire.Hash(s.Node),
	}, nil
}

func (s *Server) balance(r *http.Request, c *caller) (any, error) {
	a, err := s.account(r, c, fresh(r))
	if err != nil {
		return nil, err
	}
	v := Balance{a.Height, a.Address, a.Balance, a.TotalVolumes, a.TotalEffective, a.Billed, a.Reserved, []Reserve{}}
	for i := range a.Volumes {
		one := &a.Volumes[i]
		v.Reserves = append(v.Reserves, Reserve{one.VolumeID, one.Name, one.Status, one.Reserve, one.Accrued})
	}
	return v, nil
}

func (s *Server) volumes(r *http.Request, c *caller) (any, error) {
	limit, after := uint64(maxPage), r.URL.Query().Get("cursor")
	if text := r.URL.Query().Get("limit"); text != "" {
		var err error
		if limit, err = strconv.ParseUint(text, 10, 64); err != nil || limit < 1 || limit > maxPage {
			return nil, refuse(http.StatusBadRequest, codeRequest, "limit is a number from 1 to 100")
		}
	}
	a, err := s.account(r, c, fresh(r))
	if err != nil {
		return nil, err
	}
	list := append([]wire.Volume{}, a.Volumes...) // what is remembered stays as it is
	slices.SortFunc(list, func(a, b wire.Volume) int { return cmp.Compare(a.Name, b.Name) })
	list = slices.DeleteFunc(list, func(v wire.Volume) bool { return v.Name <= after && after != "" })
	page := Volumes{Height: a.Height, Volumes: list[:min(len(list), int(limit))]}
	if len(page.Volumes) < len(list) {
		page.NextCursor = page.Volumes[limit-1].Name
	}
	return page, nil
}

// named finds the volume that the path of a request names among those of the caller's wallet. One that the relay does not know of may be new: it looks again.
// Refusals: codeNotFound, codeStale, errBusy.
func (s *Server) named(r *http.Request, c *caller) (*wire.StorageAccount, *wire.Volume, error) {
	name := r.PathValue("name")
	for _, anew := range [...]bool{fresh(r), true} {
		a, err := s.account(r, c, anew)
		if err != nil {
			return nil, nil, err
		}
		if at := slices.IndexFunc(a.Volumes, func(v wire.Volume) bool { return v.Name == name }); at >= 0 {
			return a, &a.Volumes[at], nil
		}
	}
	return nil, nil, refuse(http.StatusNotFound, codeNotFound, "the certificate's wallet has no volume of this name")
}

func (s *Server) volume(r *http.Request, c *caller) (any, error) {
	a, known, err := s.named(r, c)
	if err != nil {
		return nil, err
	}
	id, err := digest.ParseHash(known.VolumeID)
	if err != nil {
		return nil, refuse(http.StatusServiceUnavailable, codeStale, reach.ErrNode.Error())
	}
	ctx := reach.For(r.Context(), sourceOf(r))
	placed, err := s.Directory.Volume(ctx, id, fresh(r))
	switch {
	case errors.Is(err, reach.ErrUnknown):
		return nil, refuse(http.StatusNotFound, codeNotFound, "the volume is gone")
	case err != nil:
		return nil, viewed(err)
	}
	v := Volume{Height: a.Height, Volume: *known, Placement: []Slot{}}
	v.Version = placed.Version
	for i := range placed.Slots {
		v.Placement = append(v.Placement, s.slot(ctx, &placed.Slots[i]))
		if placed.Slots[i].Degraded {
			v.Degraded++
		}
	}
	for i := range placed.Tokens {
		t := &placed.Tokens[i]
		one := wire.CapToken{
			TokenID: wire.Hex(t.ID[:]), Token: wire.Hex(t.Body), Runner: t.Runner.String(), Mode: t.Mode, Prefix: t.Prefix, Used: t.Used,
		}
		if body, err := cbfs.DecodeRunnerToken(t.Body); err == nil {
			one.MaxBytes, one.Until = body.MaxBytes, body.Until
		}
		v.Tokens = append(v.Tokens, one)
	}
	return v, nil
}

// slot shows a place of a volume with what is known of its relay.
func (s *Server) slot(ctx context.Context, at *reach.Slot) Slot {
	v := Slot{Relay: at.Relay.String(), Degraded: at.Degraded, Status: "unknown"}
	if !at.Root.IsZero() {
		v.Root = wire.Hash(at.Root)
	}
	if one, err := s.Directory.Relay(ctx, at.Relay); err == nil {
		v.Status, v.Endpoint, v.Heartbeat = one.Status, one.Endpoint, one.Heartbeat
	}
	return v
}
