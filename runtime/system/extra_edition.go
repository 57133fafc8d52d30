//go:build nextedition

package system

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/treasury"
)

// extra is a second native edition of the Treasury, for what tests upgrade to: it answers its number, and its migration notes that it ran.
func extra() []*chapter.Chapter {
	next := treasury.New()
	next.Edition = 2
	next.Handlers = append(next.Handlers, chapter.Handler{
		Name: "edition", Ways: chapter.ByExecute | chapter.ByCall, Reads: true,
		Run: func(*chapter.Env, chapter.Request) ([]byte, error) { return []byte("2"), nil },
	})
	next.Claims = append(next.Claims, account.Claim{
		Chapter: "treasury", Holds: "that edition 2 ran its migration", Kind: account.KindRecord, Holder: account.One,
		Address: account.System(account.Treasury), Suffix: "edition", Exact: true,
	})
	next.Migrate = func(e *chapter.Env) error {
		if err := e.Charge(1_000, 0); err != nil {
			return err
		}
		e.State.Set(account.KeyString(account.KindRecord, e.Self, "edition"), []byte{2})
		return e.Emit("treasury.migrated", nil)
	}
	return []*chapter.Chapter{next}
}
