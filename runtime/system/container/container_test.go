package container_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/container"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemcontainer "github.com/cowboyinc/cowboy-go/runtime/system/container"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Governance registers an image and a class, replaces and removes them; each change is an event, each refusal has its code and no event. That nobody else
// may is said by the rows of chain/tx.
//
// Spec: gateway-payments-streams §I; WP §9 (0x11).
func TestRegistry(t *testing.T) {
	c := testkit.NewChain(t)
	admin := c.Impersonate(genesis.DevFaucet().Address())
	home := account.System(account.ContainerRegistry)
	image := &tx.RegisterBaseImage{Name: []byte("runner-python"), Digest: digest.Hash{1}, SizeBytes: 9, Platforms: []tx.Platform{{Name: "linux/amd64"}}}
	class := &tx.RegisterResourceClass{Name: []byte("small"), CPUMillicores: 500, MemoryMiB: 256, MaxDurationSec: 60}
	for _, step := range []struct {
		name  string
		in    tx.Instruction
		code  uint16
		topic string
	}{
		{"an image nobody knows is removed", &tx.DeregisterBaseImage{Name: image.Name}, systemcontainer.FaultImage, ""},
		{"an image", image, 0, systemcontainer.TopicImage},
		{"the same again", image, 0, systemcontainer.TopicImage},
		{"a class that replaces a standard one", class, 0, systemcontainer.TopicClass},
		{"a standard class is removed", &tx.DeregisterResourceClass{Name: []byte("large")}, 0, systemcontainer.TopicClassRemoved},
		{"and again", &tx.DeregisterResourceClass{Name: []byte("large")}, systemcontainer.FaultClass, ""},
		{"a class without a name", &tx.RegisterResourceClass{CPUMillicores: 1, MemoryMiB: 1, MaxDurationSec: 1}, drain.FaultInput, ""},
		{"the image is removed", &tx.DeregisterBaseImage{Name: image.Name}, 0, systemcontainer.TopicImageRemoved},
	} {
		t.Run(step.name, func(t *testing.T) {
			before := len(c.Events(home, step.topic))
			r := admin.Do(step.in, 100_000, 5_000)
			if step.code != 0 {
				if r.Status != block.Faulted || r.Fault.Code != step.code || len(r.Events) != 0 {
					t.Fatalf("%v %+v, want fault %d", r.Status, r.Fault, step.code)
				}
				return
			}
			if r.Status != block.Success || len(c.Events(home, step.topic)) != before+1 {
				t.Fatalf("%v %+v, events %v", r.Status, r.Fault, r.Events)
			}
		})
	}
	if got, err := container.LoadClass(c.State(), "small"); err != nil || got != class.Class() {
		t.Errorf("%+v %v", got, err)
	}
	if list, err := container.Classes(c.State()); err != nil || len(list) != 4 {
		t.Errorf("%v %v", list, err)
	}
}
