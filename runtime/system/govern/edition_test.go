//go:build nextedition

package govern_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// A native edition answers from its height on, after its migration; one whose migration runs out of cycles does not, and a rollback brings the first back.
//
// Spec: governance-staking B8.
func TestNativeEdition(t *testing.T) {
	pot := account.System(account.Treasury)
	code := govern.Native(2).Append(nil)
	c := newChain(t)
	if x := c.rich.Try(pot, "edition", ""); x.Fault.Code != drain.FaultUnavailable {
		t.Fatalf("%+v", x.Fault)
	}
	c.must(c.rich, &tx.UpgradeSystemActor{Actor: pot, Code: code, Window: 168, Cycles: 999})
	if x := c.rich.Try(pot, "edition", ""); x.Status == block.Success || len(c.Events(nine, govern.TopicUnmigrated)) != 1 {
		t.Fatalf("without cycles: %+v", x.Fault)
	}
	c.must(c.rich, &tx.UpgradeSystemActor{Actor: pot, Code: code, Window: 168, Cycles: 1_000})
	c.Mine()
	c.is("the new edition", c.rich.Call(pot, "edition", ""), "2")
	if len(c.Events(nine, govern.TopicMigrated)) != 1 || len(c.Events(pot, "treasury.migrated")) != 1 {
		t.Error("the migration is not announced")
	}
	c.must(c.rich, &tx.UpgradeSystemActor{Act: tx.ActRollback, Actor: pot})
	if x := c.rich.Try(pot, "edition", ""); x.Fault.Code != drain.FaultUnavailable {
		t.Errorf("after the rollback: %+v", x.Fault)
	}
}
