package scenario

import (
	"encoding/json"
	"fmt"
	"math/big"
	"sort"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/cbor"
)

// Plain reads JSON as a value that package cbor encodes: the way results, entries and fields reach actors. Numbers are integers.
func Plain(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the value is not JSON: %w", err)
	}
	return value(v)
}

func value(v any) (any, error) {
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
			one, err := value(v[i])
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
			one, err := value(v[k])
			if err != nil {
				return nil, err
			}
			m = append(m, cbor.Pair{Key: k, Value: one})
		}
		return m, nil
	}
	return v, nil
}
