package account

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// AddressSize is the length of an address in bytes.
const AddressSize = 20

// Address names an account: the last 20 bytes of a keccak256. Spec: WP §1.
type Address [AddressSize]byte

// ErrAddress reports a text that is not 40 hexadecimal digits.
var ErrAddress = errors.New("account: address is not 20 bytes of hexadecimal")

// ErrChecksum reports an address of both cases whose letters are not those of its
// EIP-55 checksum: some digit was mistyped.
var ErrChecksum = errors.New("account: the letters' case is not the address's checksum (EIP-55)")

// ReadAddress reads what a person or a client wrote: what ParseAddress reads, but
// that digits of both cases must be those of String, or it gives ErrChecksum. One
// case alone carries no checksum. Spec: node-rpc-cli §4.3.
func ReadAddress(text string) (Address, error) {
	a, err := ParseAddress(text)
	if err != nil {
		return Address{}, err
	}
	digits := strings.TrimPrefix(text, "0x")
	if digits != strings.ToLower(digits) && digits != strings.ToUpper(digits) && digits != a.String()[2:] {
		return Address{}, ErrChecksum
	}
	return a, nil
}

// ParseAddress reads 40 hexadecimal digits of any case with an optional 0x, or
// gives ErrAddress. It does not check an EIP-55 checksum: it is what actors and
// manifests on the chain have always been read with.
func ParseAddress(text string) (Address, error) {
	var a Address
	text = strings.TrimPrefix(text, "0x")
	if len(text) != 2*AddressSize {
		return Address{}, ErrAddress
	}
	if _, err := hex.Decode(a[:], []byte(text)); err != nil {
		return Address{}, ErrAddress
	}
	return a, nil
}

// IsZero reports whether a is the zero address, which nobody owns.
func (a Address) IsZero() bool { return a == Address{} }

// Compare orders addresses as byte strings: negative, zero or positive.
func (a Address) Compare(b Address) int { return bytes.Compare(a[:], b[:]) }

// Hex is a in lower-case hexadecimal without a prefix.
func (a Address) Hex() string { return hex.EncodeToString(a[:]) }

// String is a with 0x and the mixed-case checksum of EIP-55: a letter is upper
// case where the same digit of keccak256(lower-case text) is 8 or more.
// Spec: node-rpc-cli §4.3.
func (a Address) String() string {
	text := []byte(a.Hex())
	sum := digest.Keccak256(text)
	for i, c := range text {
		nibble := sum[i/2] >> (4 * (1 - i%2)) & 0xf
		if c > '9' && nibble >= 8 {
			text[i] = c - 'a' + 'A'
		}
	}
	return "0x" + string(text)
}

// MarshalText is the form of String, for JSON.
func (a Address) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what ReadAddress reads.
func (a *Address) UnmarshalText(text []byte) error {
	v, err := ReadAddress(string(text))
	if err == nil {
		*a = v
	}
	return err
}

// FromPublicKey is the address of an uncompressed secp256k1 public key given as
// its 64 coordinate bytes x‖y, without the leading 04: the last 20 bytes of
// their keccak256, as on Ethereum.
// Spec: WP §1.1, §16.1; Appendix A.
func FromPublicKey(coordinates [64]byte) Address {
	return last20(digest.Keccak256(coordinates[:]))
}

func last20(h digest.Hash) Address { return Address(h[digest.Size-AddressSize:]) }
