package keyspace

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// Spec: commonware §5.10.
func TestClaimsAreDisjoint(t *testing.T) {
	list := Claims()
	for i, c := range list {
		if c.Chapter == "" || c.Holds == "" || (c.Holder == account.One) != (c.Address != account.Address{}) {
			t.Errorf("%v is not complete: %+v", c, c)
		}
		for _, d := range list[:i] {
			if c.Meets(d) {
				t.Errorf("%v of %s (%s) meets %v of %s (%s)", c, c.Chapter, c.Holds, d, d.Chapter, d.Holds)
			}
		}
	}
}

// What a virtual machine owns is apart from what native code keeps: in its namespace lie code, storage of Python actors and the governed parameters.
//
// Spec: WP "Storage and State Persistence" (vm_ns), §13.1.
func TestNamespaces(t *testing.T) {
	for _, c := range Claims() {
		governed := c.Chapter == "params" && c.Suffix != params.KeyCalendar && c.Suffix != params.KeySchedule ||
			c.Chapter != "params" && strings.HasPrefix(c.Suffix, "system:")
		if want := c.Chapter == "host" && c.Kind != account.KindActorMeta || governed; want != (c.Kind.Namespace() == account.NamespacePVM) {
			t.Errorf("%v of %s lies in the wrong namespace", c, c.Chapter)
		}
	}
	nine := account.System(account.Governance)
	for i, x := range []struct {
		key     []byte
		chapter string
	}{
		{account.KeyString(account.KindStorage, nine, "system:basefee_config"), "params"},
		{account.KeyString(account.KindStorage, nine, "system:basefee"), ""},
		{account.KeyString(account.KindStorage, nine, "system:gov:param:history:system:basefee_config:12345678"), "params"},
		{account.KeyString(account.KindStorage, account.System(account.Bank), "anything"), "host"}, // it may be given a Python program
		{account.KeyString(account.KindStorage, account.Address{1}, "system:basefee_config"), "host"},
		{account.KeyString(account.KindRecord, nine, "stake:validator:"+string(make([]byte, 20))), "stake"},
		{account.KeyString(account.KindRecord, account.Address{1}, "stake:validator:"), ""},
		{[]byte("short"), ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if c, ok := Find(x.key); c.Chapter != x.chapter || ok != (x.chapter != "") {
				t.Errorf("%q is claimed by %q", x.key, c.Chapter)
			}
		})
	}
}

// Every key of a genesis is claimed, and a key that is not is found. The chains of testkit and the networks of testkit/sim check each of their blocks.
//
// Spec: commonware §5.10.
func TestCheck(t *testing.T) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := spec.Build(o); err != nil {
		t.Fatal(err)
	}
	commit := func() *state.Commit {
		c, err := o.Commit(0)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := commit()
	if first.Delta().Len() < 40 {
		t.Errorf("only %d operations", first.Delta().Len())
	}
	if err := Check(first); err != nil {
		t.Error(err)
	}
	stray := account.KeyString(account.KindRecord, account.System(account.Bank), "vault")
	o.Set(stray, []byte{1})
	var wrong *KeyError
	if err := Check(commit()); !errors.As(err, &wrong) || !bytes.Equal(wrong.Key, stray) {
		t.Errorf("a stray key: %v", err)
	}
}

// Spec: commonware §5.10.
func TestGolden(t *testing.T) {
	var list bytes.Buffer
	for _, c := range Claims() {
		fmt.Fprintf(&list, "%s %s: %s\n", c, c.Chapter, c.Holds)
	}
	golden.File(t, "testdata/claims.golden", list.Bytes())
}
