package eip712

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// word is a value as a field of a struct or an element of an array has it.
func (h *hasher) word(name string, v any) (digest.Hash, error) {
	if strings.HasSuffix(name, "]") {
		return h.array(name, v)
	}
	if _, declared := h.types[name]; declared {
		return h.structure(name, v)
	}
	if err := h.pay(1, 0, 0); err != nil {
		return digest.Hash{}, err
	}
	switch k := h.kinds[name]; k.class {
	case "string":
		if s, ok := v.(string); ok {
			return h.hash([]byte(s))
		}
	case "bytes":
		if b, ok := octets(v); ok {
			return h.hash(b)
		}
	default:
		if w, ok := k.atomic(v); ok {
			return w, nil
		}
	}
	return digest.Hash{}, refused("a value is no %.50s", name)
}

// array is the hash of an array's words. Its length is free, or the type's.
func (h *hasher) array(name string, v any) (digest.Hash, error) {
	open := strings.LastIndexByte(name, '[')
	list, ok := v.([]any)
	if open < 0 || !ok {
		return digest.Hash{}, refused("a value is no %.50s", name)
	}
	if size := name[open+1 : len(name)-1]; size != "" && size != strconv.Itoa(len(list)) {
		return digest.Hash{}, refused("%d elements are no %.50s", len(list), name)
	}
	data := make([]byte, 0, digest.Size*len(list))
	for _, one := range list {
		w, err := h.word(name[:open], one)
		if err != nil {
			return digest.Hash{}, err
		}
		data = append(data, w[:]...)
	}
	return h.hash(data)
}

// kind is an elementary type: what its values are, and of how many bytes where that is chosen.
type kind struct {
	class string
	size  int
}

// elementary reads the name of one of the standard's own types.
func elementary(name string) (k kind, ok bool) {
	if name == "string" || name == "bytes" || name == "bool" || name == "address" {
		return kind{class: name}, true
	}
	class := strings.TrimRight(name, "0123456789")
	n, err := strconv.Atoi(name[len(class):])
	if err != nil || strconv.Itoa(n) != name[len(class):] {
		return kind{}, false
	}
	switch class {
	case "int", "uint":
		return kind{class, n / 8}, n%8 == 0 && n >= 8 && n <= 256
	case "bytes":
		return kind{"fixed", n}, n >= 1 && n <= digest.Size
	}
	return kind{}, false
}

// atomic is the word of a value of a type that fits one.
func (k kind) atomic(v any) (w digest.Hash, ok bool) {
	switch k.class {
	case "bool":
		b, ok := v.(bool)
		if b {
			w[digest.Size-1] = 1
		}
		return w, ok
	case "address":
		a, ok := address(v)
		copy(w[digest.Size-account.AddressSize:], a[:])
		return w, ok
	case "fixed":
		b, ok := octets(v)
		copy(w[:], b)
		return w, ok && len(b) == k.size
	}
	if n, small := v.(int64); small { // as most are
		signed := k.class == "int"
		if n < 0 && !signed {
			return w, false
		}
		if spare := 64 - 8*k.size; spare > 0 && (signed && n<<spare>>spare != n || !signed && uint64(n)<<spare>>spare != uint64(n)) {
			return w, false
		}
		if n < 0 {
			for i := range w {
				w[i] = 0xff
			}
		}
		binary.BigEndian.PutUint64(w[digest.Size-8:], uint64(n))
		return w, true
	}
	n, ok := integer(v)
	if !ok {
		return w, false
	}
	bits, length := 8*k.size, n.BitLen()
	switch {
	case k.class == "uint":
		ok = n.Sign() >= 0 && length <= bits
	case n.Sign() < 0:
		ok = new(big.Int).Not(n).BitLen() < bits
	default:
		ok = length < bits
	}
	if !ok {
		return w, false
	}
	if n.Sign() < 0 { // two's complement in 256 bits
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	n.FillBytes(w[:])
	return w, true
}

func address(v any) (a account.Address, ok bool) {
	switch x := v.(type) {
	case []byte:
		if len(x) == account.AddressSize {
			return account.Address(x), true
		}
	case string:
		a, err := account.ParseAddress(x)
		return a, err == nil
	}
	return a, false
}

// octets are bytes, or 0x and hexadecimal digits.
func octets(v any) ([]byte, bool) {
	switch x := v.(type) {
	case []byte:
		return x, true
	case string:
		digits, is := strings.CutPrefix(x, "0x")
		b, err := hex.DecodeString(digits)
		return b, is && err == nil
	}
	return nil, false
}

// maxDigits bounds the text of a number: 256 bits, decimal, with a sign.
const maxDigits = 80

// integer is a number, or the text of one.
func integer(v any) (*big.Int, bool) {
	switch x := v.(type) {
	case int64:
		return big.NewInt(x), true
	case *big.Int:
		return x, true
	case string:
		if len(x) > maxDigits || strings.HasPrefix(x, "+") || strings.Contains(x, "_") {
			return nil, false
		}
		if digits, is := strings.CutPrefix(x, "0x"); is {
			if strings.HasPrefix(digits, "-") || strings.HasPrefix(digits, "+") {
				return nil, false
			}
			return new(big.Int).SetString(digits, 16)
		}
		return new(big.Int).SetString(x, 10)
	}
	return nil, false
}
