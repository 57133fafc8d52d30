package secret

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// What stands with a wrapped key says of which release key it is, and of which committee with its commitments: keccak256 of both, put together by hand here. A
// proxy gives no partial of another key, nor where the committee that the wrap was made for is known, and is another.
//
// Spec: storage-cbfs §2.2 (wrapping_key_hash, cbss_release_key_material_hash); secrets-cbss §11.
func TestMaterialOfAVolumesKey(t *testing.T) {
	l := newLibrary(t)
	material := func(k *ReleaseKey) digest.Hash {
		raw := []byte{byte(k.Epoch), byte(len(k.Committee))}
		for _, p := range k.Committee {
			raw = append(raw, p[:]...)
		}
		raw = append(raw, byte(len(k.Commitments)))
		for _, c := range k.Commitments {
			raw = append(raw, c[:]...)
		}
		return digest.Keccak256(raw)
	}
	v, err := volume.Load(l.overlay, l.docs)
	l.must(err)
	if v.Wrap.KeyHash != digest.Keccak256(l.key.Commitments[0][:]) || v.Wrap.ReleaseHash != material(l.key) || v.Wrap.ReleaseHash.IsZero() {
		t.Errorf("%+v", v.Wrap)
	}
	keep := func(change func(w *volume.Wrap)) {
		w := *v
		change(&w.Wrap)
		l.overlay.Set(account.RecordKey(volume.Home(), "ras:volume:", l.docs[:]), w.Encode())
	}
	admits := func(p *party, epoch uint64) error {
		q := l.ask(holderKey(), digest.Hash{}, p, func(q *cbss.Request) { q.Epoch = epoch })
		_, err := l.Admit(q.Signed(holderKey()), q.Proxy)
		return err
	}
	changed := map[string]func(w *volume.Wrap){
		"the key's":      func(w *volume.Wrap) { w.KeyHash[31]++ },
		"the material's": func(w *volume.Wrap) { w.ReleaseHash[31]++ },
	}
	for name, change := range changed {
		t.Run(name, func(t *testing.T) {
			keep(change)
			err := admits(l.committee[0], 1)
			if text, ok := Rejected(err); !errors.Is(err, ErrData) || !ok || text != ErrData.Error() {
				t.Error(err)
			}
		})
	}
	keep(func(*volume.Wrap) {})
	l.must(admits(l.committee[0], 1))
	l.must(l.Reshare(AccountScope(holderKey().Address()), holderKey().Address()))
	l.end()
	l.heights()
	next := l.keyed(AccountScope(holderKey().Address()))
	l.heights()
	if material(next) == v.Wrap.ReleaseHash {
		t.Fatal("the key was not passed on")
	}
	l.must(admits(l.party(next.Committee[0]), 2)) // the wrap is of the committee before
	keep(changed["the material's"])
	if err := admits(l.party(next.Committee[0]), 2); !errors.Is(err, ErrData) {
		t.Error(err)
	}
}
