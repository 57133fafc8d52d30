package wallet

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/tyler-smith/go-bip39"
)

const hardened = 1 << 31

// ErrBadMnemonic says that a phrase has a wrong word, length or checksum.
var ErrBadMnemonic = errors.New("not a valid BIP-39 phrase; check the words and their order")

// NewMnemonic draws a phrase of twelve words.
func NewMnemonic() (string, error) {
	entropy, err := bip39.NewEntropy(128)
	if err != nil {
		return "", err
	}
	return bip39.NewMnemonic(entropy)
}

// FromMnemonic derives account index of a phrase along m/44'/60'/0'/0/index, the path Ethereum wallets use.
// Source: BIP-32, BIP-39, BIP-44.
func FromMnemonic(phrase string, index uint32) (Key, error) {
	phrase = strings.Join(strings.Fields(phrase), " ")
	if !bip39.IsMnemonicValid(phrase) {
		return Key{}, ErrBadMnemonic
	}
	key, chain := split(mac([]byte("Bitcoin seed"), bip39.NewSeed(phrase, "")))
	for _, step := range []uint32{44 | hardened, 60 | hardened, hardened, 0, index} {
		var err error
		if key, chain, err = child(key, chain, step); err != nil {
			return Key{}, err
		}
	}
	return key, key.check()
}

// child is BIP-32's private derivation of one step.
func child(parent Key, chain [32]byte, step uint32) (Key, [32]byte, error) {
	data := make([]byte, 0, 37)
	if step&hardened != 0 {
		data = append(append(data, 0), parent[:]...)
	} else {
		_, public := btcec.PrivKeyFromBytes(parent[:])
		data = append(data, public.SerializeCompressed()...)
	}
	data = binary.BigEndian.AppendUint32(data, step)
	tweak, next := split(mac(chain[:], data))
	var sum, p btcec.ModNScalar
	if sum.SetByteSlice(tweak[:]) {
		return Key{}, next, ErrBadKey
	}
	p.SetByteSlice(parent[:])
	sum.Add(&p)
	key := Key(sum.Bytes())
	return key, next, key.check()
}

func mac(key, data []byte) []byte {
	h := hmac.New(sha512.New, key)
	h.Write(data)
	return h.Sum(nil)
}

func split(sum []byte) (Key, [32]byte) { return Key(sum[:32]), [32]byte(sum[32:]) }
