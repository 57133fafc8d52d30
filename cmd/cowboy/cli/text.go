package cli

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/fxamacker/cbor/v2"
)

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// cborText shows a storage value: its CBOR diagnostic notation, or hex digits when it is something else.
func cborText(value []byte) string {
	text, err := cbor.Diagnose(value)
	if err != nil {
		return "0x" + hex.EncodeToString(value)
	}
	return text
}

// jsonPayload checks that a payload is JSON and gives its bytes as they are.
func jsonPayload(text string) ([]byte, error) {
	raw, err := textOrFile(text)
	if err != nil {
		return nil, err
	}
	if !json.Valid(raw) {
		return nil, usageError{fmt.Errorf("the payload is not JSON: %s", shorten(text))}
	}
	return raw, nil
}
