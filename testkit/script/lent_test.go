package script

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// borrower is an actor whose jobs write in a volume that somebody else owns. What it is called with is the executor's hash and the volume's address.
const borrower = `import pvm_host
from cowboy_sdk import Storage, actor, codec, public


@actor
class Borrower:
    storage: Storage

    @public
    def shout(self, payload):
        program, volume = payload.decode().split(" ")
        self.storage["said"] = "nothing yet"
        pvm_host.submit_job(codec.encode({
            "job_type": {"Custom": {"executor_hash": program, "params": b""}}, "verification": {"mode": "none"},
            "bounds": {"max_wall_time_seconds": 60, "max_retries": 0}, "max_price": 1_000_000_000, "timeout_blocks": 1_000,
            "volume_attachments": [{"volume_name": volume, "access_mode": "RW", "path_prefix": "work", "max_bytes": 100_000, "mount": True,
                                    "sync_interval": 5}],
            "cid": "shout", "reply_to": pvm_host.get_actor_address(), "reply_handler": "answered",
        }))

    @public
    def answered(self, payload):
        self.storage["said"] = str(payload)

    @public
    def said(self, payload):
        return self.storage["said"].encode()
`

// TestVolumeLentToAnActor: an account owns a private volume, and lets the actor of another account read and write below a prefix of it. The actor's job has the
// volume attached by its public address: its runner is released the key by the owner's committee, for which the actor pays, reads one file and writes another,
// which the owner reads. The account that made the actor, to which another folder is lent, has no such job, nor without a grant. What is in the volume lies
// open at no relay.
//
// Spec: storage-cbfs §2.1 (public address), §2.5 (VolumeAttachment), §3.5; secrets-cbss §11.
func TestVolumeLentToAnActor(t *testing.T) {
	t.Parallel()
	mountable(t)
	s := newShelves(t, 4, "--proxies 5 --proxy-port 0")
	s.opened()
	wallet := strings.TrimSpace(s.run("cowboy wallet address"))
	s.fund(wallet, 100_000)
	s.keyed()
	s.run("cowboy volume create --private --name docs --data 2 --parity 2 --coins 1100 --wait")
	s.write("in.txt", "what is lent\n")
	s.run("cowboy volume put docs in.txt work/in.txt")
	s.confirmed("docs")
	docs := s.volume("docs")

	s.run("cowboy wallet create --output other.pem")
	other := strings.TrimSpace(s.run("cowboy wallet address --key other.pem"))
	s.fund(other, 1_000)
	s.write("borrower.py", borrower)
	out := s.run("cowboy actor deploy --code borrower.py --salt 0x01 --private-key other.pem --wait")
	actor := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
	s.fund(actor, 1_000)
	_, hash := s.mounter()
	ask := fmt.Sprintf("cowboy actor execute --actor %s --handler shout --payload %x --private-key other.pem --wait", actor,
		fmt.Sprintf("0x%s /%s/docs", hash, wallet))
	s.write("job.json", fmt.Sprintf(`{"job_type": {"Custom": {"executor_hash": "0x%s", "params": "0x"}}, "verification": {"mode": "none"},
		"volume_attachments": [{"volume_name": "/%s/docs", "access_mode": "RW", "path_prefix": "work", "max_bytes": 100000, "mount": true, "sync_interval": 5}],
		"bounds": {"max_wall_time_seconds": 60, "max_retries": 0}, "max_price": 1000000000, "timeout_blocks": 1000}`, hash, wallet))
	refused := func(when, why string) {
		t.Helper()
		if said := s.fails("cowboy job submit --job-spec job.json --private-key other.pem --wait"); !strings.Contains(said, why) {
			t.Errorf("%s: %s", when, said)
		}
	}
	refused("without a grant", "the sender may not do this")
	grant := "cowboy volume grant docs --mode RW --max-bytes 100000 --until 1000000 --wait "
	s.run(grant + "--prefix elsewhere --to " + other)
	refused("with a grant for another folder", "does not hold now, or not for this")
	s.run(grant + "--prefix work --to " + actor)
	refused("with the actor's grant", "does not hold now, or not for this")

	before := s.balance(actor)
	s.run(ask)
	s.until("the actor has its answer", func() bool {
		return strings.Contains(s.run("cowboy actor query --actor "+actor+" --handler said --payload-text x"), "done")
	})
	s.gives("docs work/out.txt", "WHAT IS LENT\n")
	s.until("the actor has paid the attachment and four receipts", func() bool { return before-s.balance(actor) >= 104_000_000_000 })
	used := uint64(0)
	for _, one := range s.volume("docs").Tokens {
		if one.Job != "" {
			t.Errorf("a token is left when the job is over: %+v", one)
		}
		if used += one.Used; one.Used > 0 && one.Runner != actor {
			t.Errorf("another grant has grown: %+v", one)
		}
	}
	if grown := s.volume("docs").RawSize - docs.RawSize; used != grown || used == 0 {
		t.Errorf("the grants have used %d bytes, the volume has grown by %d", used, grown)
	}
	for _, one := range s.volume("docs").Tokens {
		s.run("cowboy volume revoke --token " + one.TokenID + " --wait")
	}
	refused("when the grants are revoked", "the sender may not do this")
	if err := os.Remove(s.dir + "/in.txt"); err != nil || s.has("what is lent") != 0 {
		t.Error("what is private lies open at a relay", err)
	}
}

// balance is what an account has, in base units.
func (m *market) balance(address string) uint64 {
	m.t.Helper()
	var a wire.Account
	if !m.read("/account/"+address, &a) {
		m.t.Fatal("the node does not tell of ", address)
	}
	return a.Balance
}
