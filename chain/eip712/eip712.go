package eip712

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Error says why a value is no typed data.
type Error struct{ Text string }

// Error implements error.
func (e *Error) Error() string { return "typed data: " + e.Text }

func refused(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }

// Pay is told of work before it is done: fields of types or values that are looked at, hashes that are made, and their bytes. Its error ends the work.
type Pay func(fields, hashes, bytes int) error

// field is a member of a struct type.
type field struct{ name, kind string }

// domainType is the name of a domain's type, whose fields are these, each present or not.
const domainType = "EIP712Domain"

var domainFields = [...]field{
	{"name", "string"}, {"version", "string"}, {"chainId", "uint256"}, {"verifyingContract", "address"}, {"salt", "bytes32"},
}

// hasher hashes the structs of one set of types.
type hasher struct {
	types  map[string][]field
	hashes map[string]digest.Hash // of types
	kinds  map[string]kind        // elementary types by their names
	pay    Pay
}

// Digest is what is signed of typed data. Errors: an *Error for what is no typed data; those of pay.
//
// Spec: WP §16.1 (EIP-712 signed data).
func Digest(data any, pay Pay) (digest.Hash, error) {
	h := &hasher{types: map[string][]field{}, hashes: map[string]digest.Hash{}, kinds: map[string]kind{}, pay: pay}
	top, err := h.members(data, "typed data", "types", "primaryType", "domain", "message")
	if err != nil {
		return digest.Hash{}, err
	}
	domain, isMap := top[2].(cbor.Map)
	primary, isText := top[1].(string)
	if !isMap || !isText {
		return digest.Hash{}, refused("primaryType is a name and domain an object")
	}
	if err := h.declare(top[0], domain); err != nil {
		return digest.Hash{}, err
	}
	separator, err := h.structure(domainType, domain)
	if err != nil {
		return digest.Hash{}, err
	}
	if primary == domainType {
		return digest.Hash{}, refused("the primary type is the domain's")
	}
	message, err := h.structure(primary, top[3])
	if err != nil {
		return digest.Hash{}, err
	}
	return h.hash(append(append([]byte{0x19, 0x01}, separator[:]...), message[:]...))
}

func (h *hasher) hash(data []byte) (digest.Hash, error) {
	if err := h.pay(0, 1, len(data)); err != nil {
		return digest.Hash{}, err
	}
	return digest.Keccak256(data), nil
}

// few is up to how many entries of a map are looked through for each name.
const few = 8

// members gives the values of a map that has these keys and no other.
func (h *hasher) members(v any, what string, names ...string) ([]any, error) {
	if err := h.pay(len(names), 0, 0); err != nil {
		return nil, err
	}
	m, ok := v.(cbor.Map)
	if !ok || len(m) != len(names) {
		return nil, refused("%.50s is an object of %.200s", what, strings.Join(names, ", "))
	}
	find := m.Lookup
	if len(m) > few {
		has := make(map[string]any, len(m))
		for _, p := range m {
			if name, ok := p.Key.(string); ok {
				has[name] = p.Value
			}
		}
		find = func(name string) (v any, ok bool) { v, ok = has[name]; return v, ok }
	}
	list := make([]any, len(names))
	for i, name := range names {
		if list[i], ok = find(name); !ok {
			return nil, refused("%.50s has no %.50s", what, name)
		}
	}
	return list, nil
}

// declare reads the types. A domain whose type is not among them has that of its fields.
func (h *hasher) declare(v any, domain cbor.Map) error {
	types, ok := v.(cbor.Map)
	if !ok {
		return refused("types is an object")
	}
	for _, entry := range types {
		name, _ := entry.Key.(string)
		list, ok := entry.Value.([]any)
		if _, own := elementary(name); own || !identifier(name) || !ok {
			return refused("a type has a name of its own and a list of fields")
		}
		fields := make([]field, len(list))
		names := map[string]bool{}
		for i, one := range list {
			pair, err := h.members(one, "a field", "name", "type")
			if err != nil {
				return err
			}
			f := &fields[i]
			f.name, _ = pair[0].(string)
			f.kind, _ = pair[1].(string)
			if !identifier(f.name) || f.kind == "" || names[f.name] {
				return refused("a field of %.50s has a name of its own and a type", name)
			}
			names[f.name] = true
		}
		h.types[name] = fields
	}
	for _, entry := range types {
		name, _ := entry.Key.(string)
		for _, f := range h.types[name] {
			if !h.known(f.kind) {
				return refused("a field of %.50s is of no type there is", name)
			}
		}
	}
	given, there := h.types[domainType]
	var standard []field
	for _, f := range domainFields {
		_, has := domain.Lookup(f.name)
		if h.known(f.kind) && (there && slices.Contains(given, f) || !there && has) {
			standard = append(standard, f)
		}
	}
	if len(standard) == 0 || there && !slices.Equal(given, standard) {
		return refused("a domain has some of name, version, chainId, verifyingContract and salt, in this order")
	}
	h.types[domainType] = standard
	return nil
}

// identifier reports whether a text is a name as Solidity has them.
func identifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '$' && !('a' <= c|0x20 && c|0x20 <= 'z') && !(i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return s != ""
}

// known reports whether a type is declared or the standard's own, which is remembered, or an array of one that is.
func (h *hasher) known(kind string) bool {
	base, _, _ := strings.Cut(kind, "[")
	for rest := kind[len(base):]; rest != ""; {
		size, after, closed := strings.Cut(rest[1:], "]")
		n, err := strconv.ParseUint(size, 10, 32)
		if !closed || size != "" && (err != nil || strconv.FormatUint(n, 10) != size) || after != "" && after[0] != '[' {
			return false
		}
		rest = after
	}
	if _, declared := h.types[base]; declared {
		return true
	}
	k, ok := elementary(base)
	if ok {
		h.kinds[base] = k
	}
	return ok
}

// typeHash is the hash of a struct type and of those it refers to.
func (h *hasher) typeHash(name string) (digest.Hash, error) {
	if hash, ok := h.hashes[name]; ok {
		return hash, nil
	}
	seen, names := map[string]bool{name: true}, []string{name}
	for i := 0; i < len(names); i++ {
		fields := h.types[names[i]]
		if err := h.pay(len(fields)+1, 0, 0); err != nil {
			return digest.Hash{}, err
		}
		for _, f := range fields {
			base, _, _ := strings.Cut(f.kind, "[")
			if _, declared := h.types[base]; declared && !seen[base] {
				seen[base], names = true, append(names, base)
			}
		}
	}
	slices.Sort(names[1:])
	var text []byte
	for _, n := range names {
		text = append(append(text, n...), '(')
		for i, f := range h.types[n] {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(append(text, f.kind...), ' '), f.name...)
		}
		text = append(text, ')')
	}
	hash, err := h.hash(text)
	if err == nil {
		h.hashes[name] = hash
	}
	return hash, err
}

// structure is hashStruct.
func (h *hasher) structure(name string, v any) (digest.Hash, error) {
	fields, ok := h.types[name]
	if !ok {
		return digest.Hash{}, refused("there is no type %.50q", name)
	}
	kind, err := h.typeHash(name)
	if err != nil {
		return digest.Hash{}, err
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	values, err := h.members(v, "a "+name, names...)
	if err != nil {
		return digest.Hash{}, err
	}
	data := kind[:]
	for i, f := range fields {
		word, err := h.word(f.kind, values[i])
		if err != nil {
			return digest.Hash{}, err
		}
		data = append(data, word[:]...)
	}
	return h.hash(data)
}
