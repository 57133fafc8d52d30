package cli

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// maxInput bounds a file given with @.
const maxInput = 4 << 20

func trim0x(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimPrefix(strings.TrimPrefix(text, "0x"), "0X")
}

func parseHex(what, text string) ([]byte, error) {
	raw, err := hex.DecodeString(trim0x(text))
	if err != nil {
		return nil, usageError{fmt.Errorf("%s %q is not hex", what, shorten(text))}
	}
	return raw, nil
}

func parseHash(text string) (digest.Hash, error) {
	raw, err := hex.DecodeString(trim0x(text))
	if err != nil || len(raw) != len(digest.Hash{}) {
		return digest.Hash{}, usageError{fmt.Errorf("%q is not a hash: want 64 hex digits, with or without 0x", shorten(text))}
	}
	return digest.Hash(raw), nil
}

func shorten(text string) string {
	if len(text) > 80 {
		return text[:77] + "..."
	}
	return text
}

// hexOrFile reads hex digits, or the bytes of the file named after @.
func hexOrFile(what, text string) ([]byte, error) {
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		return readFile(name)
	}
	return parseHex(what, text)
}

// textOrFile gives the text's bytes, or the bytes of the file named after @.
func textOrFile(text string) ([]byte, error) {
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		return readFile(name)
	}
	return []byte(text), nil
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxInput {
		return nil, fmt.Errorf("%s: %d bytes is more than the %d a file may have here", name, info.Size(), maxInput)
	}
	return os.ReadFile(name)
}
