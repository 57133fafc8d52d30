package bls

import (
	"sync"

	herumi "github.com/herumi/bls-eth-go-binary/bls"
)

// ready initialises the C library once per process. A failure means the linked
// library is not the one this package was written for: a bug, so it panics.
var ready = sync.OnceValue(func() struct{} {
	if err := herumi.Init(herumi.BLS12_381); err != nil {
		panic("bls: " + err.Error())
	}
	if err := herumi.SetETHmode(herumi.EthModeLatest); err != nil {
		panic("bls: " + err.Error())
	}
	herumi.VerifySignatureOrder(false) // inside and sealed check it
	return struct{}{}
})
