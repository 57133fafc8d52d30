package block

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Block is a header and the transactions it commits to, in execution order.
type Block struct {
	Header Header
	Txs    []*tx.Tx
}

// minTxSize is a lower bound of an encoded transaction: it makes the length check
// of a body meaningful before anything is allocated.
const minTxSize = 100

// Append appends the canonical encoding: Header ‖ Vec<Tx>. Spec: WP §2.5.
func (b *Block) Append(dst []byte) []byte {
	dst = b.Header.Append(dst)
	dst = codec.AppendLen(dst, len(b.Txs))
	for _, t := range b.Txs {
		dst = t.Append(dst)
	}
	return dst
}

// Encode is the canonical encoding on its own.
func (b *Block) Encode() []byte { return b.Append(make([]byte, 0, 512+256*len(b.Txs))) }

// Hash is the header's hash.
func (b *Block) Hash() digest.Hash { return b.Header.Hash() }

// Decode reads one block and nothing else. It gives ErrTooLarge above
// params.MaxBlockBytes, a *codec.Error for a malformed layout or more than
// params.MaxBlockTxs transactions, and the errors of tx.Decode. Byte fields of the
// transactions alias data.
// Spec: WP §2.5.
func Decode(data []byte) (*Block, error) {
	if len(data) > params.MaxBlockBytes {
		return nil, ErrTooLarge
	}
	r := codec.NewReader(data)
	b := &Block{Header: ReadHeader(r)}
	n := r.Len(0, params.MaxBlockTxs, minTxSize)
	if n > 0 {
		b.Txs = make([]*tx.Tx, n)
	}
	for i := range b.Txs {
		t, err := tx.Read(r)
		if err != nil {
			return nil, err
		}
		b.Txs[i] = t
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return b, nil
}

// TxRoot is the root over transaction identities in block order.
// Spec: WP §2.5 (BMT leaf); commonware §6.
func TxRoot(hashes []digest.Hash) digest.Hash { return digest.MerkleRoot(hashes) }
