package explorer

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

var nameHash = wire.Hash(digest.Hash{0x5e})

func (f *fake) Secrets(of account.Address, after *digest.Hash, _ int) (wire.Secrets, error) {
	if after != nil {
		return wire.Secrets{}, nil
	}
	return wire.Secrets{Account: of.String(), Secrets: []wire.Secret{{KeyHash: nameHash}}, NextCursor: nameHash}, nil
}

func (f *fake) SecretVersions(account.Address, digest.Hash) (wire.SecretVersions, error) {
	return wire.SecretVersions{Secret: wire.Secret{KeyHash: nameHash, LatestVersion: 54_321}, Versions: []wire.SecretVersion{
		{Version: 12_345, Recipient: "Account", WrappedDek: "feedface", Policy: wire.SecretPolicy{
			Listed: true, Actors: []string{actorAddress.String()}, TEERequired: true,
		}},
		{Version: 12_346, Pending: true}, {Version: 12_347, Policy: wire.SecretPolicy{Listed: true}},
	}}, nil
}

func (f *fake) ReleaseKey(of secret.Scope) (wire.ReleaseKey, error) {
	return wire.ReleaseKey{
		Master: "00", Committee: []string{nameHash, nameHash, nameHash}, Threshold: 2, Epoch: 31, Prior: []wire.PriorEpoch{{Epoch: 30, ExpiresAt: 98_765}},
		Pending: &wire.DkgPending{Reshare: true, Deadline: 87_654, Committee: []string{nameHash}},
	}, nil
}

func (f *fake) WaitingLocks(account.Address) ([]wire.Tlock, error) {
	return []wire.Tlock{{ID: nameHash, RoundEpoch: 41, RoundView: 54_322, Partials: 3, WrappedDek: "feedface", CreatedAt: 43_219}}, nil
}

func (f *fake) Proxies(*digest.Hash, int) (wire.Proxies, error) {
	return wire.Proxies{Proxies: []wire.Proxy{
		{ID: nameHash, Operator: actorAddress.String(), Serves: true, Health: 9_750, Stake: 10_000_000_000_000, NetworkAddr: hostile},
		{ID: nameHash, Operator: actorAddress.String(), Suspended: true}, {ID: nameHash, Operator: actorAddress.String(), UnbondAt: 76_543},
		{ID: nameHash, Operator: actorAddress.String(), EligibleAfter: 65_432},
	}, NextCursor: nameHash}, nil
}

// The pages of the secret service show policies, committees and proxies, and no sealed key.
//
// Spec: secrets-cbss §2, §4.
func TestSecretPages(t *testing.T) {
	h := New(&fake{}, nobody)
	secrets := "account/" + actorAddress.String() + "/secrets"
	for _, c := range []struct{ path, shows string }{
		{secrets, "12\u202f345"}, {secrets, "attested"}, {secrets, "pending"}, {secrets, "nobody"}, {secrets, "Epoch 31: 2 of 3 proxies"},
		{secrets, "epoch 30 serves until block 98\u202f765"}, {secrets, "passed on, until block 87\u202f654, by 1 proxies"},
		{secrets, "?cursor=" + nameHash}, {secrets + "?cursor=" + nameHash, "None."},
		{secrets, "epoch 41, view 54\u202f322"}, {secrets, "43\u202f219"},
		{"proxies", "serves"}, {"proxies", "suspended"}, {"proxies", "leaves in block 76\u202f543"}, {"proxies", "soaks until block 65\u202f432"},
		{"proxies", "9\u202f750"}, {"runners", "/explorer/proxies"},
	} {
		t.Run(c.path+" "+c.shows, func(t *testing.T) {
			r, body := get(t, h, Path+c.path)
			if r.StatusCode != http.StatusOK || !strings.Contains(body, c.shows) {
				t.Errorf("%d, without %q", r.StatusCode, c.shows)
			}
			if strings.Contains(body, "feedface") {
				t.Error("a sealed key is shown")
			}
		})
	}
	for _, path := range []string{"account/0x1/secrets", secrets + "?cursor=x", "proxies?cursor=x"} {
		t.Run(path, func(t *testing.T) {
			if r, _ := get(t, h, Path+path); r.StatusCode == http.StatusOK {
				t.Error("it is shown")
			}
		})
	}
}
