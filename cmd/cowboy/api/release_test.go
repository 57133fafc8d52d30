package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// scalar is a small one.
func scalar(t *testing.T, n byte) *cbss.Scalar {
	t.Helper()
	s, err := cbss.ParseScalar(append(make([]byte, cbss.ScalarSize-1), n))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// material is keccak256 of a committee with its commitments, put together by hand: each list begins with how many there are.
func material(epoch byte, members []digest.Hash, commitments []cbss.Key) digest.Hash {
	raw := []byte{epoch, byte(len(members))}
	for _, m := range members {
		raw = append(raw, m[:]...)
	}
	raw = append(raw, byte(len(commitments)))
	for _, c := range commitments {
		raw = append(raw, c[:]...)
	}
	return digest.Keccak256(raw)
}

// A client takes the wrapped key of a volume, and who serves it, only together: the release key is the one that the volume's was wrapped for, and so is the
// committee, as long as it has not passed the key on.
//
// Spec: storage-cbfs §2.2 (wrapping_key_hash, cbss_release_key_material_hash); secrets-cbss §11.
func TestWrappedKeyAndItsReleaseKey(t *testing.T) {
	master, other := scalar(t, 3).Public(), scalar(t, 4).Public()
	id, owner := digest.Hash{7}, account.Address{1}
	to := &cbss.Identity{ChainID: 1, Secret: cbss.SecretID{Account: owner, KeyHash: cbss.VolumeKeyHash(id)}, Version: 1, Epoch: 2, Master: master}
	envelope, err := cbss.Wrap(to, scalar(t, 5), [cbss.NonceSize]byte{}, [cbss.DataKeySize]byte{6})
	if err != nil {
		t.Fatal(err)
	}
	members, commitments := []digest.Hash{{1}, {2}, {3}}, []cbss.Key{master, other}
	for name, c := range map[string]struct {
		edit func(v *wire.Volume, k *wire.ReleaseKey)
		err  error
	}{
		"as it is":            {nil, nil},
		"a public volume":     {func(v *wire.Volume, _ *wire.ReleaseKey) { *v = wire.Volume{} }, nil},
		"another release key": {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Commitments[0] = wire.Hex(other[:]) }, ErrTold},
		"another commitment":  {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Commitments[1] = wire.Hex(master[:]) }, ErrTold},
		"one commitment less": {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Commitments = k.Commitments[:1] }, ErrTold},
		"no commitments":      {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Commitments = nil }, ErrTold},
		"another member":      {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Committee[2] = wire.Hash(digest.Hash{4}) }, ErrTold},
		"members in another order": {func(_ *wire.Volume, k *wire.ReleaseKey) {
			k.Committee[0], k.Committee[1] = k.Committee[1], k.Committee[0]
		}, ErrTold},
		"the key's hash of another":   {func(v *wire.Volume, _ *wire.ReleaseKey) { v.KeyHash = wire.Hash(digest.Keccak256(other[:])) }, ErrTold},
		"the material's of another":   {func(v *wire.Volume, _ *wire.ReleaseKey) { v.ReleaseHash = wire.Hash(material(1, members, commitments)) }, ErrTold},
		"no hashes":                   {func(v *wire.Volume, _ *wire.ReleaseKey) { v.KeyHash, v.ReleaseHash = "", "" }, ErrTold},
		"the committee after it":      {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Epoch, k.Committee = 3, k.Committee[:2] }, nil},
		"the next one of another key": {func(_ *wire.Volume, k *wire.ReleaseKey) { k.Epoch, k.Commitments[0] = 3, wire.Hex(other[:]) }, ErrTold},
		"another volume's":            {func(v *wire.Volume, _ *wire.ReleaseKey) { v.WrappedDEK = v.WrappedDEK[:len(v.WrappedDEK)-2] + "00" }, ErrTold},
		"cut off":                     {func(v *wire.Volume, _ *wire.ReleaseKey) { v.WrappedDEK = v.WrappedDEK[2:] }, release.ErrCorrupted},
		"no volume":                   {func(v *wire.Volume, _ *wire.ReleaseKey) { v.VolumeID = "" }, reach.ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			v := wire.Volume{
				VolumeID: wire.Hash(id), WrappedDEK: hex.EncodeToString(envelope.Append(nil)), CommitteeEpoch: 2,
				KeyHash: wire.Hash(digest.Keccak256(master[:])), ReleaseHash: wire.Hash(material(2, members, commitments)),
			}
			k := wire.ReleaseKey{Epoch: 2}
			for i := range members {
				k.Committee = append(k.Committee, wire.Hash(members[i]))
			}
			for i := range commitments {
				k.Commitments = append(k.Commitments, wire.Hex(commitments[i][:]))
			}
			if c.edit != nil {
				c.edit(&v, &k)
			}
			node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var reply any
				switch path := r.URL.Path; {
				case strings.HasPrefix(path, "/volume/") && (v.VolumeID != "" || name == "a public volume"):
					reply = v
				case strings.HasPrefix(path, "/release-key/"):
					reply = k
				case path == "/health/detailed":
					reply = wire.Health{ChainID: 1}
				case path == "/height":
					reply = wire.Height{Height: 9}
				default:
					w.WriteHeader(http.StatusNotFound)
					return
				}
				if err := json.NewEncoder(w).Encode(reply); err != nil {
					t.Error(err)
				}
			}))
			defer node.Close()
			got, err := Releases{Node: New(node.URL)}.Wrapped(context.Background(), id)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatal(err)
			}
			switch {
			case err != nil:
			case name == "a public volume":
				if got != nil {
					t.Errorf("%+v", got)
				}
			case got.Recipient != secret.OfVolume || got.Secret != to.Secret || got.Serving.Epoch != k.Epoch || len(got.Serving.Committee) != len(k.Committee):
				t.Errorf("%+v", got)
			}
		})
	}
}
