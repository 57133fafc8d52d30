package faulty

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// headerBends are the ways in which a header is wrong.
var headerBends = map[string]bend{
	"wrong-state":    header(func(x *block.Header) { x.StateRoot[0]++ }),
	"wrong-receipts": header(func(x *block.Header) { x.ReceiptRoot[0]++ }),
	"wrong-cycles":   header(func(x *block.Header) { x.CyclesUsed++ }),
	"wrong-cells":    header(func(x *block.Header) { x.CellsUsed++ }),
	"wrong-basefee":  header(func(x *block.Header) { x.CycleBasefee++ }),
	"wrong-cellfee":  header(func(x *block.Header) { x.CellBasefee-- }),
	"wrong-time":     header(func(x *block.Header) { x.TimestampMs = 1 }),
	"wrong-version":  header(func(x *block.Header) { x.Version++ }),
	"wrong-chain":    header(func(x *block.Header) { x.ChainID++ }),
	"wrong-parent":   header(func(x *block.Header) { x.ParentHash[0]++ }),
	"wrong-reward":   header(func(x *block.Header) { x.Proposer[0]++ }),
	"wrong-output":   header(func(x *block.Header) { x.VRFOutput[0]++ }),
	"wrong-rank": func(_ *invalid, h Hand, b *block.Block) bool {
		b.Header.ProposerIndex = (b.Header.ProposerIndex + 1) % uint32(h.Validators())
		return true
	},
	"wrong-proof": func(_ *invalid, h Hand, b *block.Block) bool {
		b.Header.VRFProof = otherwise(h, b)
		b.Header.VRFOutput = block.VRFOutput(b.Header.VRFProof)
		b.Txs = ordered(b)
		reseal(b)
		return true
	},
	"wrong-seed": func(_ *invalid, h Hand, b *block.Block) bool {
		if b.Header.ParentSeed == nil {
			return false
		}
		b.Header.ParentSeed.Signature = otherwise(h, b)
		return true
	},
	"wrong-votes": func(_ *invalid, h Hand, b *block.Block) bool {
		if b.Header.ParentVotes == nil {
			return false
		}
		b.Header.ParentVotes.Aggregate = otherwise(h, b)
		return true
	},
}

func header(change func(x *block.Header)) bend {
	return func(_ *invalid, _ Hand, b *block.Block) bool {
		change(&b.Header)
		return true
	}
}

// otherwise is a good signature over something else than what a header asks for.
func otherwise(h Hand, b *block.Block) sig.BLSSignature {
	s, err := h.Signer().ProveVRF([]byte("something else"), uint64(b.Header.Height))
	if err != nil {
		panic(err)
	}
	return s
}
