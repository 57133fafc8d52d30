package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
)

// refBytes writes a reference down by the layout of the document: digest, 0x12, 0, the size in eight bytes, 22 zero bytes.
func refBytes(data []byte) []byte {
	sum := sha256.Sum256(data)
	raw := binary.BigEndian.AppendUint64(append(sum[:], 0x12, 0), uint64(len(data)))
	return append(raw, make([]byte, 22)...)
}

func quoted(raw []byte) string { return fmt.Sprintf("b%q", raw) }

// stored is the storage size of the caller's actor.
func stored(t *testing.T, d *caller) uint64 {
	t.Helper()
	a, err := account.Load(d.f.work.overlay, d.f.self)
	if err != nil {
		t.Fatal(err)
	}
	return a.StorageBytes
}

// A blob lies in the actor's storage up to 64 KiB, once, pays by its bytes, and is gone when it is deleted: nothing of it is left.
//
// Spec: WP §7.1, §7.3, §17.6; CIP-3 §2.2.2; rent §1.
func TestInlineBlobs(t *testing.T) {
	for _, size := range []int{0, 1, 1_024, 1_025, 64<<10 - 1, 64 << 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			d := newCaller(t)
			data := bytes.Repeat([]byte{7}, size)
			ref := refBytes(data)
			d.want("None", "get_blob", ref)
			d.want("False", "delete_blob", ref)
			d.want(quoted(ref), "put_blob", data)
			d.want(quoted(data), "get_blob", ref)
			// The key has 7 + 32 bytes; the sum is at a key of 7, in as many bytes as a UInt takes, and absent where it is zero.
			want := uint64(39 + size)
			if size > 0 {
				want += 7 + uint64(len(binary.AppendUvarint(nil, uint64(size))))
			}
			if got := stored(t, d); got != want {
				t.Errorf("%d bytes of storage, want %d", got, want)
			}
			d.want(quoted(ref), "put_blob", data)
			if got := stored(t, d); got != want {
				t.Errorf("put again: %d bytes of storage, want %d", got, want)
			}
			d.want("True", "delete_blob", ref)
			d.want("None", "get_blob", ref)
			if got := stored(t, d); got != 0 {
				t.Errorf("deleted: %d bytes of storage", got)
			}
		})
	}
	d := newCaller(t)
	d.want("QuotaError E1208", "put_blob", make([]byte, 64<<10+1))
	if got := stored(t, d); got != 0 {
		t.Errorf("refused, and %d bytes are stored", got)
	}
}

// Two writes, 40 cycles for each KiB that is begun, the bytes and the reference in cells.
//
// Spec: WP §3.5, §17.4, §17.6; CIP-3 §2.2.1, §2.2.2.
func TestBlobPrices(t *testing.T) {
	for size, kib := range map[int]uint64{0: 1, 1: 1, 1_024: 1, 1_025: 2, 64 << 10: 64} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			d := newCaller(t)
			d.wantCost(400+40*kib, uint64(size)+64, "put_blob", make([]byte, size))
			d.wantCost(40*kib, 0, "blob_ref", make([]byte, size))
			words := uint64((size + 31) / 32)
			d.wantCost(40*kib+6*words, 0, "blob_ref", make([]byte, size), uint64(0x1b))
			d.wantCost(40*kib, 0, "check_blob", refBytes(nil), make([]byte, size))
		})
	}
	d := newCaller(t)
	d.call("put_blob", make([]byte, 250))
	d.wantCost(100, 3, "get_blob", refBytes(make([]byte, 250)))
	d.wantCost(500, 0, "delete_blob", refBytes(make([]byte, 250)))
}

// What is no reference is refused, another blob's is not found, and the entries are out of reach of the calls on state.
//
// Spec: WP §7.2; sdk §4.2; storage-cbfs §7 (64 bytes).
func TestBlobReferences(t *testing.T) {
	d := newCaller(t)
	ref := refBytes([]byte("a"))
	d.call("put_blob", "a")
	bad := func(change func(raw []byte) []byte) []byte { return change(bytes.Clone(ref)) }
	for name, raw := range map[string][]byte{
		"short": ref[:63], "long": append(bytes.Clone(ref), 0),
		"reserved bytes": bad(func(r []byte) []byte { r[63] = 1; return r }), "function": bad(func(r []byte) []byte { r[32] = 0x11; return r }),
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t)
			d.want("InvalidInputError E1202", "get_blob", raw)
			d.want("InvalidInputError E1202", "delete_blob", raw)
			d.want("InvalidInputError E1202", "check_blob", raw, "a")
		})
	}
	for name, raw := range map[string][]byte{
		"other size":     bad(func(r []byte) []byte { r[41] = 2; return r }),
		"other digest":   bad(func(r []byte) []byte { r[0]++; return r }),
		"other function": bad(func(r []byte) []byte { r[32] = 0x1e; return r }),
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t)
			d.call("put_blob", "a")
			d.want("None", "get_blob", raw)
			d.want("False", "delete_blob", raw)
			d.want("False", "check_blob", raw, "a")
		})
	}
	d.want("True", "check_blob", ref, "a")
	d.want("False", "check_blob", ref, "b")
	d.want("InvalidInputError E1202", "blob_ref", "a", uint64(0x11))
	d.want("InvalidInputError E1202", "blob_ref", "a", uint64(0x12), uint64(256))
	d.want("InvalidInputError E1202", "blob_ref", "a", uint64(0x12), uint64(0), uint64(1<<32))
	for _, key := range []string{"__blob:", "__blob:x"} {
		d.want("ForbiddenError E1205", "get_state", key)
		d.want("ForbiddenError E1205", "set_state", key, "x")
	}
	d.want("[]", "scan_state_prefix", "")
}

// storage.blob is needed where there is a manifest, and its max_bytes bounds the blobs in all: at the bound, one byte above it, and again when one is gone.
//
// Spec: ENT §9.4, §9.12 (max_bytes), §11.
func TestBlobEntitlement(t *testing.T) {
	with := func(text string) *caller {
		d := newCaller(t)
		m, err := entitle.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		d.f.work.overlay.Set(ManifestKey(d.f.self), m.Encode())
		return d
	}
	none := with(`[{"id":"storage.kv","params":{"max_bytes":1000}}]`)
	for _, name := range []string{"put_blob", "get_blob", "delete_blob"} {
		none.want("MissingEntitlementError E1207", name, refBytes([]byte("a")))
	}
	d := with(`[{"id":"storage.blob","params":{"max_bytes":10}}]`)
	d.want(quoted(refBytes(make([]byte, 9))), "put_blob", make([]byte, 9))
	d.want("EntitlementQuotaError E1208", "put_blob", "ab")
	d.want(quoted(refBytes([]byte("a"))), "put_blob", "a")
	d.want("EntitlementQuotaError E1208", "put_blob", "b")
	d.want(quoted(refBytes([]byte("a"))), "put_blob", "a")
	d.want("True", "delete_blob", refBytes([]byte("a")))
	d.want(quoted(refBytes([]byte("b"))), "put_blob", "b")
	d.want("None", "get_blob", refBytes([]byte("a")))
}
