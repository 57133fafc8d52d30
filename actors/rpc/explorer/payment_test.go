package explorer

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// PaymentPolicy implements Source.
func (f *fake) PaymentPolicy(a account.Address) (wire.PaymentPolicy, error) {
	if a != actorAddress {
		return wire.PaymentPolicy{}, errUnknown
	}
	return wire.PaymentPolicy{
		Prices: []wire.PaymentPrice{
			{Pattern: "/<b>hay/*", Methods: []string{"GET"}, Model: "client_paid", Amount: "1500000000", Asset: "CBY"},
			{Pattern: "/straw", Model: "client_paid", Amount: "20", Asset: "0x" + strings.Repeat("5a", 32)},
		}, Enabled: true,
		Treasury: account.Address{1}.String(), Balance: 2_000_000_000, Pass: &wire.PaymentPass{Credit: "7000000000"}, FeeBps: 500,
	}, nil
}

// What an account's page says of an actor's prices; an account without any has no such part.
//
// Spec: gateway-payments-streams §F; node-rpc-cli §2.6.
func TestPrices(t *testing.T) {
	at := "account/" + actorAddress.String()
	for _, want := range []string{
		"<h2>Prices</h2>", "/&lt;b&gt;hay/*", "1.5 CBY", "<td>GET </td>", "a credit costs 7 CBY", "2 CBY lie in its budget",
		`20 of <a class="mono" href="/explorer/token/0x` + strings.Repeat("5a", 32) + `">`,
	} {
		t.Run(want, func(t *testing.T) {
			if r, body := get(t, New(&fake{}, nobody), Path+at); r.StatusCode != 200 || !strings.Contains(body, want) {
				t.Errorf("%d, no %q in %s", r.StatusCode, want, body)
			}
		})
	}
	if _, body := get(t, New(&fake{}, nobody), Path+"account/"+account.System(1).String()); strings.Contains(body, "<h2>Prices</h2>") {
		t.Error("an account without a policy has prices")
	}
}
