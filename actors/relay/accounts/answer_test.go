package accounts

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// Whoever holds a certificate is told of the wallet's account and volumes, with the height all of it is from; of another wallet's nothing.
//
// Spec: storage-cbfs §2.2, §2.3, §3.4.
func TestAnswers(t *testing.T) {
	d := newDesk(t)
	h, stranger := d.holderOf(1, nil), d.holderOf(2, nil)
	var who Me
	d.ask(h, http.MethodGet, me, nil).into(t, 200, &who)
	if who.Wallet != d.account.Address || who.Expires != uint64(d.now.Add(time.Hour).UnixMilli()) || who.NodeID != wire.Hash(ownNode) ||
		who.Aud != cbfs.Audience {
		t.Errorf("%+v", who)
	}
	var b Balance
	d.ask(h, http.MethodGet, "/ras/accounts/balance", nil).into(t, 200, &b)
	if b.Height != 9 || b.Balance != 5 || b.TotalVolumes != 3 || b.TotalEffective != 60 || b.Billed != 2 || b.Reserved != 33 || len(b.Reserves) != 3 ||
		b.Reserves[1] != (Reserve{d.account.Volumes[1].VolumeID, "art", "ACTIVE", 11, 0}) {
		t.Errorf("%+v", b)
	}
	var v Volume
	d.ask(h, http.MethodGet, "/ras/volumes/art", nil).into(t, 200, &v)
	if v.Height != 9 || v.Name != "art" || v.WrappedDEK != "aa" || v.Version != 4 || v.Volume.Degraded != 1 || len(v.Tokens) != 1 || v.Tokens[0].Until != 77 ||
		len(v.Placement) != 2 || v.Placement[0].Status != "active" || v.Placement[0].Heartbeat != 8 || v.Placement[0].Root == "" ||
		v.Placement[1].Status != "unknown" || !v.Placement[1].Degraded || v.Placement[1].Root != "" {
		t.Errorf("%+v", v)
	}
	if a := d.ask(stranger, http.MethodGet, "/ras/volumes/art", nil); a.status != 404 || a.code != codeNotFound {
		t.Errorf("another's: %d %s", a.status, a.body)
	}
	var none Volumes
	d.ask(stranger, http.MethodGet, "/ras/volumes", nil).into(t, 200, &none)
	if none.Volumes == nil || len(none.Volumes) != 0 {
		t.Errorf("%+v", none)
	}
}

// Volumes come page by page, in the order of their names, each once.
//
// Spec: storage-cbfs §3.4 (volumes).
func TestPagesOfVolumes(t *testing.T) {
	d := newDesk(t)
	h := d.holderOf(1, nil)
	for _, limit := range []string{"1", "2", "3", "100"} {
		t.Run(limit+" at a time", func(t *testing.T) {
			var names []string
			for cursor := ""; ; {
				d.now = d.now.Add(time.Second)
				var page Volumes
				d.ask(h, http.MethodGet, "/ras/volumes?limit="+limit+"&cursor="+cursor, nil).into(t, 200, &page)
				for i := range page.Volumes {
					names = append(names, page.Volumes[i].Name)
				}
				if cursor = page.NextCursor; cursor == "" || len(names) > 3 {
					break
				}
			}
			if !slices.Equal(names, []string{"art", "b-sides", "docs"}) {
				t.Error(names)
			}
		})
	}
	for _, limit := range []string{"0", "101", "-1", "many"} {
		t.Run("limit "+limit, func(t *testing.T) {
			d.now = d.now.Add(time.Second)
			if a := d.ask(h, http.MethodGet, "/ras/volumes?limit="+limit, nil); a.status != 400 || a.code != codeRequest {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
}

// What was read of the chain is believed for 15 seconds, and asked for anew before that by whoever says so. While no node answers it is given for a minute, and
// then not any more.
//
// Spec: storage-cbfs §3.4 (refresh 15 s, at most 60 s old).
func TestViewOfTheChain(t *testing.T) {
	d := newDesk(t)
	h := d.holderOf(1, nil)
	looks := func(after time.Duration, anew bool, want int) *answer {
		t.Helper()
		d.now = d.now.Add(after)
		before := d.looks
		r, _ := d.request(h, http.MethodGet, "/ras/accounts/balance", nil)
		if anew {
			r.Header.Set("Cache-Control", "no-cache")
		}
		a := d.take(r)
		if d.looks-before != want {
			t.Errorf("%v later: %d looks, want %d", after, d.looks-before, want)
		}
		return a
	}
	height := func(a *answer) uint64 {
		var b Balance
		a.into(t, 200, &b)
		return b.Height
	}
	looks(0, false, 1)
	d.account.Height = 10
	if got := height(looks(reach.RefreshAfter-time.Millisecond, false, 0)); got != 9 {
		t.Error(got)
	}
	if got := height(looks(time.Millisecond, false, 1)); got != 10 {
		t.Error(got)
	}
	d.account.Height = 11
	if got := height(looks(time.Second, true, 1)); got != 11 {
		t.Error(got)
	}
	d.down = true
	if got := height(looks(reach.StaleAfter-time.Second-1, false, 1)); got != 11 { // the key was looked at a second before
		t.Error(got)
	}
	if a := looks(time.Second, false, 0); a.status != 503 || a.code != codeStale || a.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.status, a.body)
	}
	d.down = false
	if got := height(looks(time.Second, false, 1)); got != 11 {
		t.Error(got)
	}
}

// Pages of other sites may ask: what they may send is said without a certificate. What there is not is refused in JSON too.
func TestPagesOfOtherSites(t *testing.T) {
	d := newDesk(t)
	a := d.take(httptest.NewRequest(http.MethodOptions, "/ras/volumes/docs", nil))
	allowed := a.header.Get("Access-Control-Allow-Headers")
	for _, name := range []string{HeaderDelegation, HeaderTimestamp, HeaderNonce, HeaderChallengeID, HeaderSignature, "Content-Type"} {
		if !strings.Contains(allowed, name) {
			t.Errorf("%s is not among %q", name, allowed)
		}
	}
	if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(a.header.Get("Access-Control-Allow-Methods"), "DELETE") {
		t.Errorf("%d %v", a.status, a.header)
	}
	for _, target := range []string{"/", "/ras", "/ras/auth/you", "/ras/challenge"} {
		t.Run(target, func(t *testing.T) {
			if a := d.take(httptest.NewRequest(http.MethodGet, target, nil)); a.status != 404 || a.code != codeNoCall {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
}
