package explorer

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

func hostileVolume() wire.Volume {
	return wire.Volume{
		VolumeID: wire.Hash(txHash), Owner: actorAddress.String(), Name: hostile, Status: "GRACE_PERIOD", Visibility: "PUBLIC", RawSize: 4_096, K: 4, M: 2,
		Reserve: 2_500_000_000, Accrued: 1_000_000_000, Due: 77, Offered: workers[0], Degraded: 1, CommitteeEpoch: 6, KeyHash: wire.Hash(txHash),
		ReleaseHash: wire.Hash(digest.Hash{0xd5}), Address: hostile,
		Slots:  []wire.VolumeSlot{{Relay: workers[1], Root: wire.Hash(txHash)}, {Relay: workers[2], Degraded: true, Challenged: true}},
		Tokens: []wire.CapToken{{TokenID: "aa", Runner: workers[3], Mode: "RW", Prefix: hostile, MaxBytes: 9_999}},
	}
}

func hostileRelay() wire.Relay {
	return wire.Relay{
		Owner: workers[1], NodeID: wire.Hash(txHash), Endpoint: hostile, Region: hostile, Status: "draining", Cause: "high-water", Stake: 5_000_000_000_000,
		Bond: 101_000_000_000, Capacity: 1 << 40, Used: 10 << 20, Slots: 1, Lost: 3, Misses: 2, NextProof: 7_210,
		Challenges: []wire.PorChallenge{{ID: wire.Hash(txHash), VolumeID: wire.Hash(txHash), Slot: 3, Chunk: 12, Deadline: 1_234}},
	}
}

func (f *fake) Volumes(after *digest.Hash, limit int) (wire.Volumes, error) {
	if f.top == 0 || after != nil {
		return wire.Volumes{}, nil
	}
	v := wire.Volumes{NextCursor: wire.Hash(txHash)}
	for range limit {
		v.Volumes = append(v.Volumes, hostileVolume())
	}
	return v, nil
}

func (f *fake) Volume(id digest.Hash) (wire.Volume, error) {
	if id != txHash {
		return wire.Volume{}, missing{}
	}
	return hostileVolume(), nil
}

func (f *fake) Relays(after *account.Address, limit int) (wire.Relays, error) {
	if f.top == 0 || after != nil {
		return wire.Relays{}, nil
	}
	v := wire.Relays{Epoch: 3, Ends: 9_000, Active: 6, Pot: 1_500_000_000, NextCursor: workers[1]}
	for range limit {
		v.Relays = append(v.Relays, hostileRelay())
	}
	return v, nil
}

func (f *fake) Relay(owner account.Address) (wire.Relay, error) {
	if owner.String() != workers[1] {
		return wire.Relay{}, missing{}
	}
	return hostileRelay(), nil
}

func (f *huge) Relay(account.Address) (wire.Relay, error) {
	r := hostileRelay()
	r.Endpoint, r.Region = megabyte, megabyte
	return r, nil
}

func hostileRetention() wire.Retention {
	return wire.Retention{
		ContractID: wire.Hash(txHash), Operator: actorAddress.String(), Start: 3, End: 9, Replicas: 2, Cadence: 4, Sampling: "RANGE", SampleSize: 1_000,
		Samples: 2, Rate: 7_500_000_000, Penalty: "BOTH", SlashBPS: 2_500, Strikes: 3, Stake: 100_000_000_000, Escrow: 84_000_000_000,
		Blobs:     []wire.BlobRef{{Multihash: "1220ab", Size: 70_000, ChunkSize: 1_024}},
		Providers: []wire.RetentionProvider{{Provider: workers[1], Endpoint: hostile, Stake: 75_000_000_000, Strikes: 1, Audit: 6}},
	}
}

func (f *fake) Retentions(after *digest.Hash, limit int) (wire.Retentions, error) {
	if f.top == 0 || after != nil {
		return wire.Retentions{}, nil
	}
	v := wire.Retentions{NextCursor: wire.Hash(txHash)}
	for range limit {
		v.Contracts = append(v.Contracts, hostileRetention())
	}
	return v, nil
}

func (f *fake) Retention(id digest.Hash) (wire.Retention, error) {
	if id != txHash {
		return wire.Retention{}, missing{}
	}
	return hostileRetention(), nil
}

func (f *huge) Retention(digest.Hash) (wire.Retention, error) {
	r := hostileRetention()
	r.Providers[0].Endpoint = megabyte
	return r, nil
}

// TestStoragePages draws volumes and relays over hostile data.
//
// Spec: storage-cbfs §2.2, §2.6, §2.7, §7.
func TestStoragePages(t *testing.T) {
	for _, c := range []struct {
		top    uint64
		path   string
		status int
		want   string
	}{
		{5, "storage", 200, "1.5 <small>CBY for relays"},
		{5, "storage", 200, `href="/explorer/volume/` + wire.Hash(txHash)},
		{5, "storage", 200, `href="/explorer/relay/` + workers[1]},
		{5, "storage", 200, `href="?volumes=` + wire.Hash(txHash)},
		{5, "storage", 200, `href="?relays=` + workers[1]},
		{0, "storage", 200, "No volume."},
		{0, "storage", 200, "No relay is registered."},
		{5, "storage?relays=zz", 404, "an address is 40 hexadecimal digits"},
		{5, "volume/" + wire.Hash(txHash), 200, "GRACE_PERIOD <small>PUBLIC, changes in block 77"},
		{5, "volume/" + wire.Hash(txHash), 200, "CBY, owes 1"},
		{5, "volume/" + wire.Hash(txHash), 200, "Key material of the committee</dt><dd class=\"mono\">" + wire.Hash(digest.Hash{0xd5}) + " <small>of epoch 6"},
		{5, "volume/" + wire.Hash(txHash), 200, "Wrapping key</dt><dd class=\"mono\">" + wire.Hash(txHash)},
		{5, "volume/" + wire.Hash(txHash), 200, `<span class="bad">degraded</span> challenged<`},
		{5, "volume/" + wire.Hash(digest.Hash{1}), 404, ""},
		{5, "relay/" + workers[1], 200, "CBY, of which 101 until it has drained"},
		{5, "relay/" + workers[1], 200, "the chain"},
		{5, "relay/" + workers[0], 404, ""},
		{5, "storage", 200, `href="/explorer/retention/` + wire.Hash(txHash)},
		{5, "storage", 200, `href="?contracts=` + wire.Hash(txHash)},
		{5, "storage", 200, "3 to 9"},
		{0, "storage", 200, "No contract."},
		{5, "storage?contracts=zz", 404, ""},
		{5, "retention/" + wire.Hash(txHash), 200, "every 4 epochs, 2 samples by RANGE of"},
		{5, "retention/" + wire.Hash(txHash), 200, "ten-thousandths of the stake; 3 cost the seat"},
		{5, "retention/" + wire.Hash(txHash), 200, "1220ab"},
		{5, "retention/" + wire.Hash(digest.Hash{1}), 404, ""},
		{5, "relay/zz", 404, "an address is 40 hexadecimal digits"},
	} {
		t.Run(c.path+" "+c.want, func(t *testing.T) {
			r, body := get(t, New(&fake{top: c.top}, nobody), Path+c.path)
			if r.StatusCode != c.status || !strings.Contains(body, c.want) || strings.Contains(body, "<script>alert") {
				t.Errorf("%d\n%s", r.StatusCode, body)
			}
		})
	}
}
