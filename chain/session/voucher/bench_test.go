package voucher

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// BenchmarkAccept is what a runner does for each voucher of a session: hold it to the one before and recover its signer. A thousand a second take 1 ms each.
func BenchmarkAccept(b *testing.B) {
	secret := digest.SHA256([]byte("payer"))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		b.Fatal(err)
	}
	payer := Running{ChainID: 7, Payer: key.Address(), Paid: Paid{Deposit: 1 << 60}}
	runner := payer
	for b.Loop() {
		b.StopTimer()
		v, s, err := payer.Raise(key, 1, 100, digest.Hash{})
		b.StartTimer()
		if err == nil {
			err = runner.Accept(v, s, 1, 50)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "vouchers/s")
}
