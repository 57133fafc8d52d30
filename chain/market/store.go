package market

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Load reads a job; nil where there is none, or it ended so long ago that it was forgotten.
func Load(r state.Reader, id digest.Hash) (*Job, error) { return state.Find(r, jobKey(id), DecodeJob) }

// Resolve gives the identity of the job somebody names by it or by its alias; ok is false where there is none.
//
// Spec: node-rpc-cli §2.4.
func Resolve(r state.Reader, name digest.Hash) (id digest.Hash, ok bool, err error) {
	if _, ok, err = r.Lookup(jobKey(name)); err != nil || ok {
		return name, ok, err
	}
	raw, ok, err := r.Lookup(of(underAlias, name))
	if err != nil || !ok || len(raw) != digest.Size {
		return id, false, err
	}
	return digest.Hash(raw), true, nil
}

// LoadSpec reads what a job asks for; nil where it is not kept any more.
func LoadSpec(r state.Reader, id digest.Hash) (*job.Spec, error) {
	return state.Find(r, of(underSpec, id), job.Decode)
}

// LoadSelection reads whom a job was given to; nil before the draw, and where it is not kept any more.
func LoadSelection(r state.Reader, id digest.Hash) (*Selection, error) {
	return state.Find(r, of(underSelection, id), DecodeSelection)
}

// LoadCaller reads whom a job's end is told to; nil for nobody.
func LoadCaller(r state.Reader, id digest.Hash) (*Caller, error) {
	return state.Find(r, of(underCaller, id), DecodeCaller)
}

// LoadCommitment reads a runner's commitment in the present attempt; nil where there is none.
func LoadCommitment(r state.Reader, id digest.Hash, runner account.Address) (*Commitment, error) {
	return state.Find(r, memberKey(underCommitment, id, runner), DecodeCommitment)
}

// LoadReveal reads a runner's reveal in the present attempt; nil where there is none.
func LoadReveal(r state.Reader, id digest.Hash, runner account.Address) (*Reveal, error) {
	return state.Find(r, memberKey(underReveal, id, runner), DecodeReveal)
}

// LoadResult reads a job's verified result; nil where there is none, or it is not kept any more.
func LoadResult(r state.Reader, id digest.Hash) (*Result, error) {
	return state.Find(r, of(underResult, id), DecodeResult)
}

// ByRunner lists the open jobs a runner is selected for, ascending by identity, after one (zero: from the first) and at most limit.
//
// Spec: runner-marketplace §3 (/runner/{addr}/jobs), §9 (polling).
func ByRunner(r state.Reader, runner account.Address, after digest.Hash, limit int) ([]digest.Hash, error) {
	return owned(r, underRunner, runner, after, limit)
}

// BySubmitter lists the jobs somebody submitted that are not forgotten, likewise.
func BySubmitter(r state.Reader, submitter account.Address, after digest.Hash, limit int) ([]digest.Hash, error) {
	return owned(r, underSubmitter, submitter, after, limit)
}

func owned(r state.Reader, prefix string, owner account.Address, after digest.Hash, limit int) ([]digest.Hash, error) {
	var from []byte
	if !after.IsZero() {
		from = ownerKey(prefix, owner, after)
	}
	return identities(r, under(prefix, owner[:]), from, limit)
}

// identities are the last 32 bytes of the keys behind a prefix, after a key (nil: from the first), ascending, at most limit.
func identities(r state.Reader, prefix, after []byte, limit int) (list []digest.Hash, err error) {
	err = r.Scan(prefix, after, limit, func(key, _ []byte) bool {
		list = append(list, idOf(key))
		return true
	})
	return list, err
}

// before lists the identities below a prefix and a height, at most limit, with the heights they are under.
func before(r state.Reader, prefix string, by unit.Height, limit int) (ids []digest.Hash, at []unit.Height, err error) {
	start := under(prefix)
	err = r.Scan(start, nil, limit, func(key, _ []byte) bool {
		height := unit.Height(binary.BigEndian.Uint64(key[len(start):]))
		if height > by {
			return false
		}
		ids, at = append(ids, idOf(key)), append(at, height)
		return true
	})
	return ids, at, err
}

// Escrow is what is held for jobs, in base units, which no account has.
//
// Spec: runner-marketplace §5.2.
func Escrow(r state.Reader) (unit.Amount, error) {
	held, err := state.Number(r, under(keyEscrow))
	return unit.Amount(held), err
}

// AddEscrow changes what is held for jobs, once at the end of a block. It is never below zero: each job takes out what it put in.
func AddEscrow(s state.Store, delta int64) error {
	if delta == 0 {
		return nil
	}
	held, err := Escrow(s)
	if err != nil {
		return err
	}
	state.SetNumber(s, under(keyEscrow), uint64(int64(held)+delta))
	return nil
}
