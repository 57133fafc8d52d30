package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// Plain reads JSON as a value that package cbor encodes: the way results, entries and fields reach actors. Numbers are integers.
func Plain(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows it")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the value is not JSON: %w", err)
	}
	return plain(v)
}

func plain(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		n, ok := new(big.Int).SetString(v.String(), 10)
		if !ok {
			return nil, fmt.Errorf("%s is not an integer", v)
		}
		if n.IsInt64() {
			return n.Int64(), nil
		}
		return n, nil
	case []any:
		for i := range v {
			one, err := plain(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = one
		}
		return v, nil
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		m := cbor.Map{}
		for _, k := range keys {
			one, err := plain(v[k])
			if err != nil {
				return nil, err
			}
			m = append(m, cbor.Pair{Key: k, Value: one})
		}
		return m, nil
	}
	return v, nil
}

// JSON shows a value of package cbor to people: octets as 0x and hex digits, the keys of maps as text, what JSON has no number for as text.
func JSON(v any) json.RawMessage {
	raw, err := json.Marshal(shown(v))
	if err != nil {
		panic(err) // shown gives nothing JSON cannot say
	}
	return raw
}

// object is a map in its own order.
type object cbor.Map

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(keyText(p.Key))
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), JSON(p.Value)...)
	}
	return append(out, '}'), nil
}

func keyText(key any) string {
	switch key := key.(type) {
	case []byte:
		return "0x" + Hex(key)
	case string:
		return key
	}
	return fmt.Sprint(key)
}

func shown(v any) any {
	switch v := v.(type) {
	case []byte:
		return "0x" + Hex(v)
	case cbor.Float:
		f := math.Float64frombits(uint64(v))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return f
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = shown(v[i])
		}
		return list
	case cbor.Map:
		return object(v)
	}
	return v
}
