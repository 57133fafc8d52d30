package bls

import herumi "github.com/herumi/bls-eth-go-binary/bls"

func castSign(s *herumi.Sign) *herumi.G2 { return herumi.CastFromSign(s) }
