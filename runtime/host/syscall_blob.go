package host

import (
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// blobCalls are about blobs: those in the actor's own storage, and references to those that lie elsewhere.
//
// Spec: WP §7.1–§7.3, §17.6; CIP-3 §2.2.2.
func blobCalls() []entry {
	return []entry{
		{"put_blob", "data", putBlob},
		{"get_blob", "ref", getBlob},
		{"delete_blob", "ref", deleteBlob},
		{"blob_ref", "data, hash_alg=18, codec=0, chunk_size=0", blobRef},
		{"check_blob", "ref, data", checkBlob},
	}
}

func putBlob(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	data, e := octets(m, a.Arg(0), "data")
	if e != nil {
		return object.Value{}, e
	}
	ref, err := f.PutBlob(data)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return m.Bytes(ref.Encode()), nil
}

// referred reads the reference that is a call's first argument.
func referred(f *Invocation, m *object.Machine, a object.Args) (*cbfs.BlobRef, *object.Exception) {
	raw, e := octets(m, a.Arg(0), "ref")
	if e != nil {
		return nil, e
	}
	ref, err := readRef(raw)
	if err != nil {
		return nil, f.raise(m, err)
	}
	return ref, nil
}

func getBlob(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	ref, e := referred(f, m, a)
	if e != nil {
		return object.Value{}, e
	}
	data, found, err := f.Blob(ref)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	if !found {
		return object.None, nil
	}
	return m.Bytes(data), nil
}

func deleteBlob(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	ref, e := referred(f, m, a)
	if e != nil {
		return object.Value{}, e
	}
	was, err := f.DeleteBlob(ref)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return object.Bool(was), nil
}

func blobRef(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	data, e := octets(m, a.Arg(0), "data")
	if e != nil {
		return object.Value{}, e
	}
	numbers := [3]uint64{uint64(cbfs.SHA256)}
	for i, name := range [...]string{"hash_alg", "codec", "chunk_size"} {
		n, e := f.optional(m, a.Arg(1+i), name)
		if e != nil {
			return object.Value{}, e
		}
		if n != nil {
			numbers[i] = *n
		}
	}
	ref, err := f.BlobRef(data, numbers[0], numbers[1], numbers[2])
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return m.Bytes(ref.Encode()), nil
}

func checkBlob(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	ref, e := referred(f, m, a)
	if e != nil {
		return object.Value{}, e
	}
	data, e := octets(m, a.Arg(1), "data")
	if e != nil {
		return object.Value{}, e
	}
	same, err := f.CheckBlob(ref, data)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return object.Bool(same), nil
}
