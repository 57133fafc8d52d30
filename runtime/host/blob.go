package host

import (
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// keyBlob begins the keys of an actor's inline blobs, each the prefix and the blob's SHA-256; the prefix alone holds how many bytes they have in all, as UInt.
// They are storage: they pay its rent, count against its quota, and go and come back with it.
//
// Spec: WP §7.3; rent §1.
const keyBlob = "__blob:"

func blobKey(ref *cbfs.BlobRef) []byte { return append([]byte(keyBlob), ref.Digest[:]...) }

// blobWork takes the price of hashing a blob: so much for each KiB, a begun one whole, and one at least; Keccak-256 costs what it costs elsewhere besides.
//
// Spec: WP §3.5 (host: commit a blob); CIP-3 §2.2.1.
func (f *Invocation) blobWork(alg cbfs.HashAlg, size int) error {
	cycles := params.CostBlobPerKiB * unit.Cycles(max((size+1_023)/1_024, 1))
	if alg == cbfs.Keccak {
		cycles += f.costs().Keccak256PerWord * unit.Cycles((size+params.KeccakWordBytes-1)/params.KeccakWordBytes)
	}
	if err := f.charge(uint64(cycles), 0); err != nil {
		return err
	}
	return f.hashes(size)
}

// blobBytes is how many bytes the actor's blobs have in all.
func (f *Invocation) blobBytes() (uint64, error) {
	return state.Number(f.work.overlay, StorageKey(f.self, []byte(keyBlob)))
}

// setBlobBytes keeps it; none are no entry.
func (f *Invocation) setBlobBytes(n uint64) error {
	if n == 0 {
		return f.remove([]byte(keyBlob))
	}
	return f.put([]byte(keyBlob), codec.AppendUint(nil, n))
}

// PutBlob keeps a blob in the actor's storage under its SHA-256, and gives the reference to it. One that is there already stays as it is.
//
// Spec: WP §7.1, §7.3, §17.6; CIP-3 §2.2.2 (put_blob); ENT §9.4 (storage.blob), §9.12 (max_bytes).
func (f *Invocation) PutBlob(data []byte) (*cbfs.BlobRef, error) {
	if err := f.mutates("put_blob"); err != nil {
		return nil, err
	}
	if len(data) > cbfs.InlineBytes {
		return nil, raise(Quota, "blob of %d bytes; at most %d are kept in state, and larger ones by their reference", len(data), cbfs.InlineBytes)
	}
	c := f.costs()
	if err := f.chargeFor(2*c.StorageWrite, len(data), c.CellsPerByteWritten); err != nil {
		return nil, err
	}
	if err := f.charge(0, uint64(params.BlobReferenceCells)); err != nil {
		return nil, err
	}
	if err := f.blobWork(cbfs.SHA256, len(data)); err != nil {
		return nil, err
	}
	g, err := f.require(entitle.Blob, "put_blob")
	if err != nil {
		return nil, err
	}
	ref := cbfs.RefOf(cbfs.SHA256, data)
	key := blobKey(ref)
	if _, found, err := f.work.overlay.Lookup(StorageKey(f.self, key)); err != nil || found {
		return ref, err
	}
	sum, err := f.blobBytes()
	if err != nil {
		return nil, err
	}
	sum += uint64(len(data))
	if g != nil {
		if most, limited := g.Number("max_bytes"); limited && sum > most {
			return nil, raise(EntitlementQuota, "%s: blobs of %d bytes are more than %d", g.ID, sum, most)
		}
	}
	if err := f.setBlobBytes(sum); err != nil {
		return nil, err
	}
	return ref, f.put(key, data)
}

// Blob reads an inline blob of the actor's; found is false where it has none of this digest and size. The bytes must not be modified.
//
// Spec: WP §7.3; CIP-3 §2.2.2.
func (f *Invocation) Blob(ref *cbfs.BlobRef) (data []byte, found bool, err error) {
	if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
		return nil, false, err
	}
	if _, err := f.require(entitle.Blob, "get_blob"); err != nil {
		return nil, false, err
	}
	if ref.Alg != cbfs.SHA256 {
		return nil, false, nil
	}
	data, found, err = f.work.overlay.Lookup(StorageKey(f.self, blobKey(ref)))
	if err != nil || !found || uint64(len(data)) != ref.Size {
		return nil, false, err
	}
	return data, true, f.chargeHundredths(uint64(len(data)) * 100 / f.costs().StateReadBytesPerCell)
}

// DeleteBlob removes an inline blob, and reports whether there was one.
//
// Spec: WP §7.3 (go when the owner deletes them).
func (f *Invocation) DeleteBlob(ref *cbfs.BlobRef) (bool, error) {
	if err := f.mutates("delete_blob"); err != nil {
		return false, err
	}
	c := f.costs()
	if err := f.charge(uint64(c.StorageDelete+c.StorageRead+c.StorageWrite), 0); err != nil {
		return false, err
	}
	if _, err := f.require(entitle.Blob, "delete_blob"); err != nil || ref.Alg != cbfs.SHA256 {
		return false, err
	}
	key := blobKey(ref)
	data, found, err := f.work.overlay.Lookup(StorageKey(f.self, key))
	if err != nil || !found || uint64(len(data)) != ref.Size {
		return false, err
	}
	sum, err := f.blobBytes()
	if err != nil {
		return false, err
	}
	if err := f.setBlobBytes(sum - min(sum, uint64(len(data)))); err != nil {
		return false, err
	}
	return true, f.remove(key)
}

// BlobRef makes the reference to bytes that lie elsewhere, and CheckBlob holds bytes to one. Neither stores anything.
//
// Spec: WP §7.2.
func (f *Invocation) BlobRef(data []byte, alg, codec, chunk uint64) (*cbfs.BlobRef, error) {
	if alg > 0xff || codec > 0xff || chunk > 1<<32-1 || !cbfs.HashAlg(alg).Known() {
		return nil, raise(InvalidArgument, "hash_alg is 0x12, 0x1b or 0x1e, codec one byte, chunk_size four")
	}
	if err := f.blobWork(cbfs.HashAlg(alg), len(data)); err != nil {
		return nil, err
	}
	ref := cbfs.RefOf(cbfs.HashAlg(alg), data)
	ref.Codec, ref.ChunkSize = uint8(codec), uint32(chunk)
	return ref, nil
}

// CheckBlob reports whether bytes are what a reference refers to.
//
// Spec: WP §7.2 (content-addressed).
func (f *Invocation) CheckBlob(ref *cbfs.BlobRef, data []byte) (bool, error) {
	if err := f.blobWork(ref.Alg, len(data)); err != nil {
		return false, err
	}
	return ref.Check(data) == nil, nil
}

// readRef reads a reference that a program gave.
func readRef(raw []byte) (*cbfs.BlobRef, error) {
	ref, err := cbfs.DecodeBlobRef(raw)
	if err != nil {
		return nil, raise(InvalidArgument, "a reference to a blob has %d bytes: digest(32), hash_alg, codec, size(8), chunk_size(4), 18 zero bytes",
			cbfs.BlobRefSize)
	}
	return ref, nil
}
