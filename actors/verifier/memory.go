package verifier

import (
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// memoryKept bounds what each of the two halves of a Memory holds, in signatures: together about 5 MiB.
const memoryKept = 16_384

// Memory is a sig.Recoverer that remembers whose the signatures recovered lately were. A node has one for all its verifiers: what was
// recovered when a transaction was flooded is not recovered again when a block brings it. Only the recovery is remembered, by the signed hash and
// all bytes of the signature; every other check is made each time. Safe for concurrent use.
type Memory struct {
	recoverer sig.Recoverer

	mu         sync.Mutex
	young, old map[signature]account.Address // when young is full it becomes old
}

// signature is what a recovery depends on.
type signature struct {
	hash digest.Hash
	made sig.Signature
}

var _ sig.Recoverer = (*Memory)(nil)

// NewMemory is an empty memory over a recoverer; nil means sig.Default().
func NewMemory(recoverer sig.Recoverer) *Memory {
	if recoverer == nil {
		recoverer = sig.Default()
	}
	return &Memory{recoverer: recoverer, young: map[signature]account.Address{}}
}

// Recover implements sig.Recoverer.
func (m *Memory) Recover(hash digest.Hash, made sig.Signature) (account.Address, error) {
	key := signature{hash, made}
	m.mu.Lock()
	signer, ok := m.young[key]
	if !ok {
		signer, ok = m.old[key]
	}
	m.mu.Unlock()
	if ok {
		return signer, nil
	}
	signer, err := m.recoverer.Recover(hash, made)
	if err != nil {
		return signer, err
	}
	m.mu.Lock()
	if len(m.young) >= memoryKept {
		m.young, m.old = map[signature]account.Address{}, m.young
	}
	m.young[key] = signer
	m.mu.Unlock()
	return signer, nil
}
