package sig

import "errors"

// ErrUnsigned says that a key gave no signature: the process that holds it is away, late, or refuses. Nothing is wrong with what was to be signed or with
// this node.
var ErrUnsigned = errors.New("sig: no signature was given")
