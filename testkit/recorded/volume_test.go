package recorded

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// call is a call of 0x0A or 0x0B with arguments by name.
func (p *player) call(in tx.Execute, args ...any) *tx.Execute {
	m := cbor.Map{}
	for i := 0; i < len(args); i += 2 {
		m = append(m, cbor.Pair{Key: args[i], Value: args[i+1]})
	}
	raw, err := cbor.Append(nil, m)
	if err != nil {
		p.t.Fatal(err)
	}
	in.Payload = raw
	return &in
}

func nodeOf(n int) digest.Hash { return digest.SHA256([]byte{byte(n)}) }

// storage draws an instruction about volumes and relays.
//
// Spec: storage-cbfs §3.
func (p *player) storage() tx.Instruction {
	who := p.draw.IntN(3)
	name, node, root := fmt.Sprint("v", p.draw.IntN(3)), nodeOf(who), digest.SHA256([]byte{byte(p.draw.IntN(9))})
	id := cbfs.VolumeID(p.people[who].Address(), name)
	zero := digest.Hash{}
	p.from = p.people[who]
	to := func(handler string, coins unit.Amount) tx.Execute {
		return tx.Execute{To: volume.Home(), Handler: []byte(handler), Amount: coins}
	}
	at := func(handler string, coins unit.Amount) tx.Execute {
		return tx.Execute{To: relay.Home(), Handler: []byte(handler), Amount: coins}
	}
	switch p.draw.IntN(18) {
	case 0:
		return p.call(at("register_relay", 5_000*unit.CBY), "node_id", node[:], "public_key", node[:], "endpoint", "a", "capacity", int64(1<<30))
	case 1, 2:
		return p.call(at("heartbeat", 0))
	case 3:
		return p.call(to("create_volume", 1_010*unit.CBY), "name", name, "erasure_k", int64(1), "erasure_m", int64(0))
	case 4, 5:
		return p.call(to("commit_manifest", 0), "name", name, "base_root", zero[:], "manifest_root", root[:], "shard_root", root[:], "raw_size", int64(1+who),
			"objects", int64(1), "chunks", int64(1))
	case 6:
		return p.call(to("confirm_shards", 0), "volume_id", id[:], "slot", int64(0), "shard_root", root[:])
	case 7:
		return p.call(at("challenge", 11*unit.CBY), "volume_id", id[:], "slot", int64(0))
	case 8:
		return p.call(to("grant_token", 0), "name", name, "grantee", addressOf(p.person().Address()), "access_mode", "RW", "path_prefix", name, "valid_until",
			int64(p.chain.Height())+100)
	case 9:
		return p.call(to("delete_volume", 0), "name", name)
	case 11, 12, 13:
		return p.retention(to)
	case 10, 14:
		return &tx.SubmitDrainRelayProposal{VotingBlocks: 5, Node: node}
	}
	return &tx.SubmitAutoDrainPolicyProposal{
		VotingBlocks: 5, Enabled: true, HighWaterBPS: 9_000, OverEpochs: 3, StaleEpochs: 2, StaleMs: 600_000, WindowMs: 1_000,
	}
}

// retention draws a call about retention contracts: all of one operator's are about the same byte.
//
// Spec: storage-cbfs §7.
func (p *player) retention(to func(handler string, coins unit.Amount) tx.Execute) tx.Instruction {
	ref := cbfs.RefOf(cbfs.SHA256, []byte("x"))
	ref.ChunkSize = 1_024
	root := cbfs.PieceRoot([]byte("x"), 1_024)
	ids, _, err := retention.List(p.chain.State(), digest.Hash{}, 4)
	if err != nil {
		p.t.Fatal(err)
	}
	if len(ids) == 0 || p.draw.IntN(4) == 0 {
		start := int64(p.chain.Height())/retention.EpochBlocks + 1
		return p.call(to("create_retention", 6*unit.CBY), "blobs", append(ref.Encode(), root[:]...), "start_epoch", start, "end_epoch", start+3,
			"min_replica_count", int64(2), "audit_cadence", int64(1), "sampling", "CHUNK_INDEX", "sample_num", int64(1), "rate_per_epoch", int64(unit.CBY),
			"penalty", "BOTH", "stake", int64(10*unit.CBY), "slash_bps", int64(100), "max_strikes", int64(2))
	}
	id := ids[p.draw.IntN(len(ids))]
	switch p.draw.IntN(5) {
	case 0, 1:
		return p.call(to("accept_retention", 10*unit.CBY), "contract_id", id[:])
	case 2:
		return p.call(to("cancel_retention", 0), "contract_id", id[:])
	}
	return p.call(to("prove_retention", 0), "contract_id", id[:], "proof", cbfs.AppendPieces(nil, []cbfs.Piece{cbfs.ProvePiece([]byte("x"), 1_024, 0)}))
}
