package job_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// flooding is an actor that sends 0x03 as many messages as its mailbox takes.
const flooding = `
from cowboy_sdk import actor, public, send

@actor
class Flooding:
    @public
    def init(self, payload):
        return b"ok"

    @public
    def flood(self, payload):
        size, sent = 40000, 0
        while size > 100 and sent < 60:
            try:
                send(bytes(19) + bytes([3]), b"x" * size)
                sent += 1
            except Exception:
                size //= 2
        return str(sent).encode()
`

// Somebody fills the mailbox of 0x03 in the block in which an actor is to be asked about the results of a job. The actor is asked all the same, in the next
// block, and rules as it would without; nobody is at fault.
//
// Spec: WP-January "SDK Verifier Functions" (custom); WP §17.1 (work is paid for by whoever causes it).
func TestAFullMailboxDelaysNoCheck(t *testing.T) {
	w := newTown(t)
	w.enrol("r1", "r2", "r3")
	bob, mallory := w.Account("bob"), w.Account("mallory")
	judge, flood := w.Account("alice").Deploy(judging, []byte("{}")), mallory.Deploy(flooding, []byte("{}"))
	r := bob.Do(checked(judge, "fair"), 900_000, 50_000)
	id := [32]byte(r.ReturnData)
	w.mined(id, market.Assigned)
	var reveals []*tx.JobResultSubmit
	for n, name := range []string{"r1", "r2", "r3"} {
		commit, reveal := work(t, name, id, fmt.Sprintf("because %d", n), 100)
		w.must(w.Account(name), commit)
		reveals = append(reveals, reveal)
	}
	w.must(bob, reveals[0])
	w.must(bob, reveals[1])
	mallory.Send(&tx.Execute{To: flood, Handler: []byte("flood"), Payload: []byte("{}")}, 10_000_000, 2_000_000)
	last := bob.Do(reveals[2], 500_000, 100_000)
	if last.Status != block.Success || w.find(id).Status != market.Verifying {
		t.Fatalf("%+v", w.find(id))
	}
	home, err := account.Load(w.State(), verifier.Home())
	if err != nil || home.MailboxBytes < 990_000 {
		t.Fatalf("the mailbox has %d bytes: %v", home.MailboxBytes, err)
	}
	from := w.Height()
	w.mined(id, market.Challengeable)
	if took := w.Height() - from; took > 2 {
		t.Errorf("it took %d blocks", took)
	}
	v, err := market.LoadResult(w.State(), id)
	if err != nil || v.Outcome != verify.Success || len(v.Agreed) != 3 {
		t.Errorf("%+v %v", v, err)
	}
}
