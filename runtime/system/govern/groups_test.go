package govern

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// A proposal may change the groups of package params at their tiers and those of the chapters at theirs, each with its own check, and nothing else. A chapter
// that takes another's key, or a tier nobody has, is a mistake in the source.
//
// Spec: governance-staking B9 (any other).
func TestGroups(t *testing.T) {
	refused := errors.New("refused")
	own := chapter.Param{Key: params.KeyGenericPrefix + "own", Tier: 2, Check: func(value []byte) error {
		if len(value) > 1 {
			return refused
		}
		return nil
	}}
	g := &groups{chapters: map[string]*chapter.Param{}}
	g.join([]*chapter.Chapter{{Params: []chapter.Param{own}}, {}})
	find := g.of(&drain.Block{Height: 3, Params: params.Genesis()})
	if x, ok := find(own.Key); !ok || x.Tier != 2 || x.Check([]byte{1}) != nil || !errors.Is(x.Check([]byte{1, 2}), refused) {
		t.Errorf("a chapter's group: %+v %v", x, ok)
	}
	for _, group := range params.Genesis().Groups() {
		x, ok := find(group.Key)
		if want, _ := params.TierOf(group.Key); !ok || x.Tier != want || x.Check(group.Value) != nil || x.Check(append(group.Value, 0)) == nil {
			t.Errorf("%s: %+v %v", group.Key, x, ok)
		}
	}
	for _, key := range []string{"", params.KeyVersion, params.KeyHistoryPrefix + params.KeyLanes} {
		if _, ok := find(key); ok {
			t.Errorf("%q is a group", key)
		}
	}
	for name, p := range map[string]chapter.Param{"twice": own, "a key of the core": {Key: params.KeyLanes}, "no such tier": {Key: "x", Tier: 5}} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("is taken")
				}
			}()
			g.join([]*chapter.Chapter{{Params: []chapter.Param{p}}})
		})
	}
}
