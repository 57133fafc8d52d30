package market

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// attests has a runner provide something from one height until another.
func (w *world) attests(n int, from, until unit.Height, capabilities string) {
	w.t.Helper()
	m, err := entitle.Parse([]byte(capabilities))
	w.must(err)
	a := entitle.Attestation{Runner: person(n), Capabilities: *m, ValidFrom: from, ValidUntil: until, Evidence: &digest.Hash{1}}
	w.must(w.Registry.Attest(person(n), sig.Pure{}, a.Sign(keyOf(n)).Encode()))
}

// requires gives an actor a manifest.
func (w *world) requires(actor account.Address, manifest string) {
	w.t.Helper()
	m, err := entitle.Parse([]byte(manifest))
	w.must(err)
	w.overlay.Set(entitle.Key(actor), m.Encode())
}

// A job of an actor goes to runners that provide what its manifest requires, by an attestation that counts in the block. Whoever requires nothing of runners is
// served by all.
//
// Spec: ENT §5.1 (valid_from ≤ height ≤ valid_until), §6 (scheduler match, attestation validity), §9.5, §9.6; WP §15; runner-marketplace §4.1.
func TestRequiresIsWithinProvides(t *testing.T) {
	const bot = `[{"id":"econ.transfer","params":{"max_amount":9}},{"id":"oracle.llm","params":{"max_tokens":2000}}]`
	secure := `[{"id":"oracle.llm","params":{"max_tokens":2000}},{"id":"sec.data_residency","params":{"region":"eu"}}]`
	type span struct{ from, until unit.Height }
	always := span{1, 1 << 40}
	for name, c := range map[string]struct {
		manifest, provides string
		valid              span
		want               bool
	}{
		"an account or an actor without a manifest": {"", "", always, true},
		"an actor that requires nothing of runners": {`[{"id":"econ.transfer","params":{"max_amount":9}}]`, "", always, true},
		"no attestation":   {bot, "", always, false},
		"enough":           {bot, `[{"id":"oracle.llm","params":{"max_tokens":2000}}]`, always, true},
		"too little":       {bot, `[{"id":"oracle.llm","params":{"max_tokens":1999}}]`, always, false},
		"something else":   {bot, `[{"id":"accel.gpu","params":{"min_vram_gb":80}}]`, always, false},
		"all of two":       {secure, secure, always, true},
		"one of two":       {secure, `[{"id":"oracle.llm","params":{"max_tokens":2000}}]`, always, false},
		"its first block":  {bot, `[{"id":"oracle.llm"}]`, span{began, 1 << 40}, true},
		"the block before": {bot, `[{"id":"oracle.llm"}]`, span{began + 1, 1 << 40}, false},
		"its last block":   {bot, `[{"id":"oracle.llm"}]`, span{1, began}, true},
		"the block after":  {bot, `[{"id":"oracle.llm"}]`, span{1, began - 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			w.trust(person(0), 100)
			if c.manifest != "" {
				w.requires(submitter, c.manifest)
			}
			if c.provides != "" {
				w.at(began - 2)
				w.attests(0, c.valid.from, c.valid.until, c.provides)
				w.at(began)
			}
			list, _, err := w.candidates(&Task{Spec: ask(), Job: &Job{Submitter: submitter}}, nil)
			if err != nil || (len(list) == 1) != c.want {
				t.Errorf("%v %v, want %v", list, err, c.want)
			}
			if _, err := w.Submit(digest.Hash{1}, ask(), submitter, nil, 0); c.want != (err == nil) || !c.want && !errors.Is(err, ErrNoRunners) {
				t.Errorf("submitted: %v", err)
			}
		})
	}
}

// Of the runners that can do a job those are drawn whose attestations provide what is required, while domains of a set change with governance.
//
// Spec: ENT §6, §8.4; entitlement-extras §2.3.
func TestSetsOfDomainsAreMatchedAsTheyAre(t *testing.T) {
	w := newWorld(t, 3)
	w.attests(0, 1, 1<<40, `[{"id":"http.fetch","params":{"allowlist_domains":["a.org","b.org"]}}]`)
	w.attests(1, 1, 1<<40, `[{"id":"http.fetch","params":{"allowlist_domains":["*"]}}]`)
	w.attests(2, 1, 1<<40, `[{"id":"http.fetch","params":{"domain_set":"price_feeds"}}]`)
	w.requires(submitter, `[{"id":"http.fetch","params":{"domain_set":"price_feeds"}}]`)
	candidates := func() (mask int) {
		list, _, err := w.candidates(&Task{Spec: ask(), Job: &Job{Submitter: submitter}}, nil)
		w.must(err)
		for n := range 3 {
			for _, c := range list {
				if c.Address == person(n) {
					mask |= 1 << n
				}
			}
		}
		return mask
	}
	if got := candidates(); got != 0b110 {
		t.Errorf("with the set of the genesis: %03b", got)
	}
	w.overlay.Set(params.StateKey(entitle.KeyDomainSet+"price_feeds"), entitle.EncodeSet([]string{"b.org"}))
	if got := candidates(); got != 0b111 {
		t.Errorf("with a set of one: %03b", got)
	}
}

// Whoever submits pays for reading the manifest and each attestation, 256 bytes for the price of a runner that is looked at; and for nobody's attestation where
// nothing is required.
//
// Spec: runner-marketplace §4.1, §13; CIP-2 §7.4 (check of one candidate).
func TestMatchingIsPaidFor(t *testing.T) {
	w := newWorld(t, 2)
	looks := 0
	w.Look = func(n int) error { looks += n; return nil }
	count := func(want int) {
		t.Helper()
		looks = 0
		_, looked, err := w.candidates(&Task{Spec: ask(), Job: &Job{Submitter: submitter}}, nil)
		if err != nil || looks != want || looked != want {
			t.Errorf("%d looks, %d are told, %v; want %d", looks, looked, err, want)
		}
	}
	count(3) // the list of those who have such models, and two runners
	w.requires(submitter, `[{"id":"oracle.llm","params":{"max_tokens":9}}]`)
	count(3 + 1 + 2) // a short manifest, two runners without an attestation
	w.attests(0, 1, 1<<40, `[{"id":"oracle.llm"}]`)
	_, size, err := runner.Attested(w.overlay, person(0))
	w.must(err)
	if size < 128 || size >= 256 {
		t.Fatalf("%d bytes", size)
	}
	count(3 + 1 + 2) // one of them short
	long := `[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}},{"id":"oracle.llm"},{"id":"secrets.read","params":{"keys":["`
	for range 200 {
		long += "k"
	}
	long += `"]}}]`
	w.attests(1, 1, 1<<40, long)
	if _, size, err = runner.Attested(w.overlay, person(1)); err != nil || size < 256 || size >= 512 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	count(3 + 1 + 1 + 2)
}

// A second run requires what the first one did, not what whoever challenged it requires.
//
// Spec: ENT §6; runner-marketplace §7 (a fresh committee).
func TestASecondRunRequiresWhatTheFirstDid(t *testing.T) {
	w := newWorld(t, 1)
	w.requires(submitter, `[{"id":"oracle.llm","params":{"max_tokens":9}}]`)
	challenger := account.Address{0: 0xcc}
	first, second := digest.Hash{1}, digest.Hash{2}
	w.overlay.Set(jobKey(first), (&Job{Submitter: submitter}).Encode())
	for _, c := range []struct {
		rerun bool
		want  int
	}{{false, 1}, {true, 0}} {
		t.Run(fmt.Sprint(c.rerun), func(t *testing.T) {
			if c.rerun {
				w.overlay.Set(of(underOriginal, second), first[:])
			}
			list, _, err := w.candidates(&Task{ID: second, Spec: ask(), Job: &Job{Submitter: challenger}}, nil)
			if err != nil || len(list) != c.want {
				t.Errorf("%v %v", list, err)
			}
		})
	}
}
