package entitle

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
)

// read takes a parameter's value from what a decoder made.
//
// Spec: ENT §8.1, §8.2, §9.12–§9.14, §10; entitlement-extras §3.1.
func (p *parameter) read(v any) (Value, error) {
	switch p.kind {
	case number, floor:
		n, err := readNumber(v)
		if err == nil && p.most > 0 && n > p.most {
			err = fmt.Errorf("%d is above the ceiling of %d", n, p.most)
		}
		return Value{Number: n}, err
	case domainSet, teeType, region, label, word:
		s, ok := v.(string)
		if !ok {
			return Value{}, errors.New("not a text")
		}
		return Value{Text: s}, p.check(s)
	case addresses:
		return readAddresses(v)
	}
	longest := maxList
	if p.most > 0 {
		longest = int(p.most)
	}
	list, ok := v.([]any)
	if !ok || len(list) > longest {
		return Value{}, fmt.Errorf("not a list of at most %d texts", longest)
	}
	out := make([]string, 0, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok || s == "" || len(s) > maxText || !utf8.ValidString(s) {
			return Value{}, fmt.Errorf("an element is not a text of 1 to %d bytes", maxText)
		}
		if err := p.check(s); err != nil {
			return Value{}, err
		}
		out = append(out, s)
	}
	slices.Sort(out)
	if len(slices.Compact(slices.Clone(out))) != len(out) {
		return Value{}, errors.New("an element stands there twice")
	}
	return Value{Texts: out}, nil
}

// check refuses a text its kind does not know.
func (p *parameter) check(s string) error {
	ok := true
	switch p.kind {
	case domains:
		ok = isDomain(s)
	case domainSet:
		_, ok = new(Sets).Hosts(s)
	case teeType:
		ok = isTEEType(s)
	case region:
		ok = isRegion(s)
	case label, word:
		ok = s != "" && uint64(len(s)) <= p.most && utf8.ValidString(s) && (p.kind == label || isWord(s))
	case methods:
		ok = s == "*" || s == "GET" || s == "HEAD" || s == "POST"
	}
	if !ok {
		return fmt.Errorf("%.64q is not allowed here", s)
	}
	return nil
}

func isWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// readNumber takes an integer below 2^64, or the same as decimal text.
//
// Spec: sdk §24 (numeric manifest params); entitlement-extras §4.
func readNumber(v any) (uint64, error) {
	switch n := v.(type) {
	case int64:
		if n >= 0 {
			return uint64(n), nil
		}
	case *big.Int:
		if n.IsUint64() {
			return n.Uint64(), nil
		}
	case string:
		u, err := strconv.ParseUint(n, 10, 64)
		if err == nil && strconv.FormatUint(u, 10) == n {
			return u, nil
		}
	}
	return 0, fmt.Errorf("not an integer from 0 to %d", uint64(math.MaxUint64))
}

// readAddresses takes a list of addresses, each 20 bytes or their hexadecimal text.
func readAddresses(v any) (Value, error) {
	list, ok := v.([]any)
	if !ok || len(list) > maxList {
		return Value{}, fmt.Errorf("not a list of at most %d addresses", maxList)
	}
	out := make([]account.Address, 0, len(list))
	for _, item := range list {
		var a account.Address
		switch raw := item.(type) {
		case []byte:
			if len(raw) != account.AddressSize {
				return Value{}, errors.New("an address has 20 bytes")
			}
			a = account.Address(raw)
		case string:
			var err error
			if a, err = account.ParseAddress(raw); err != nil {
				return Value{}, errors.New("an element is no address")
			}
		default:
			return Value{}, errors.New("an element is no address")
		}
		out = append(out, a)
	}
	slices.SortFunc(out, compareAddresses)
	if len(slices.Compact(slices.Clone(out))) != len(out) {
		return Value{}, errors.New("an address stands there twice")
	}
	return Value{Addresses: out}, nil
}
