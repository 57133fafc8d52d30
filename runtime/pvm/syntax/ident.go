package syntax

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// normalizeName returns the NFKC form of an identifier, under which names are
// compared.
func normalizeName(word string) string { return text.NFKC(word) }
