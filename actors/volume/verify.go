package volume

import (
	"context"
	"errors"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// errShards reports a manifest that is not of the shards on chain.
var errShards = errors.New("the stripes of the manifest are not those of the shard_root on chain")

// Verified is what was found in a manifest that holds.
type Verified struct {
	Entries, Files uint64
	Bytes          uint64 // of files as they lie on relays
	Pages          uint64 // the first one included
	Stripes        uint64 // numbers there are
	Free           uint64 // of them
}

// Verify reads the whole manifest and holds all of it to the two roots on chain: every entry to the manifest_root of a public volume, as the first page of a
// private one was, and every number of a stripe, each of which is used once or free, to the shard_root. Errors: ErrRoot with what is wrong, those of Find.
//
// Spec: storage-cbfs §2.2, §2.4 (read rule).
func (s *Snapshot) Verify(ctx context.Context) (Verified, error) {
	t := s.tree
	v := Verified{Pages: 1 + uint64(len(t.first.Pages)), Stripes: t.first.Numbers, Free: t.first.Free.Len()}
	if s.Volume.Root.IsZero() {
		return Verified{}, nil
	}
	table := &protocol.Table{K: s.Volume.K, M: s.Volume.M, Stripes: make([]protocol.Stripe, t.first.Numbers)}
	set := func(one *protocol.Numbered) error {
		if table.Stripes[one.Number].Roots != nil {
			return errors.Join(ErrRoot, page.ErrNumber)
		}
		table.Stripes[one.Number] = one.Stripe
		return nil
	}
	err := set(&s.head)
	for i := range t.first.Pages {
		err = errors.Join(err, set(&t.first.Pages[i].Page))
	}
	for r, failed := range s.records(ctx, "") {
		if err = errors.Join(err, failed); err != nil {
			return v, err
		}
		if v.Entries++; r.Kind == cbfs.File {
			v.Files, v.Bytes = v.Files+1, v.Bytes+r.Object.CiphertextSize
		}
		for i := range r.Stripes {
			err = errors.Join(err, set(&r.Stripes[i]))
		}
	}
	if err != nil {
		return v, err
	}
	filler, err := fillerOf(s)
	if err != nil {
		return v, err
	}
	for _, run := range t.first.Free {
		for number := run.First; number < run.First+run.Length; number++ {
			table.Stripes[number] = filler
		}
	}
	if table.Root() != s.Volume.Root {
		return v, errors.Join(ErrRoot, errShards)
	}
	if !s.Volume.Private && !t.whole() && !t.proven.Load() {
		return v, ErrRoot
	}
	return v, nil
}
