package state

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The worked proofs, byte for byte.
//
// Spec: commonware §5.8.
func TestWorkedProofs(t *testing.T) {
	c := workedStates(t)[2]
	config := Config{}
	const (
		peak    = "b162e00043394986ba1e70a3d5ec25b16a8c8686d5bca923fbfaf97e52ebc2f1"
		leaf8   = "94847876ee6b74a59d02926ca39f0ce8a4237f0f2f812a24fad7337cbbaa5bdd"
		leaf9   = "648d23df21a8db4da7d41b0344072082ca21b35015a23402e89d0b5109c82d16"
		leaf10  = "5ea5f94e67357f93c7745a2943d0705c5ae02f831abe954a5bf30375f829211d"
		node89  = "d089db7366863c6b63aa293aaa66d802421630281f6147f31f6000b2aae2cfff"
		grafted = "e8e38414a24c6bc82abedbcaff73a499d15a4de31363ec60ea5c156d14c1e5bc"
		partial = "ce0b63b3b463df80030a64a58919e04637b1a9f1133394eb21df9766f8a890eb"
		opsRoot = "be5e53652e8b68e08d83732332f165c888cc30abac0c82ff88425d173fed0e43"
	)
	for name, got := range map[string]digest.Hash{
		peak: *c.open.Node(3, 0), leaf8: *c.open.Node(0, 8), leaf9: *c.open.Node(0, 9), leaf10: *c.open.Node(0, 10),
		node89: *c.open.Node(1, 4), grafted: c.Roots().Grafted, partial: *c.partial,
	} {
		t.Run(name, func(t *testing.T) {
			if got != mustHash(t, name) {
				t.Errorf("digest %v, want %s", got, name)
			}
		})
	}
	chunk := "0007" + string(bytes.Repeat([]byte("00"), 30))
	operation := "09" + chunk + "0b00" + "03" + peak + leaf10 + leaf8 + "01" + partial + opsRoot

	p, err := c.ProveKey([]byte("b"))
	if err != nil {
		t.Fatal(err)
	}
	encoded := config.EncodeKeyValueProof(&p)
	if got := hex.EncodeToString(encoded); got != operation+"0161" || len(encoded) != 199 {
		t.Errorf("key proof of %d bytes: %s", len(encoded), got)
	}
	decoded, err := config.DecodeKeyValueProof(encoded)
	if err != nil || config.VerifyKey(c.Root(), []byte("b"), []byte("22"), &decoded) != nil {
		t.Errorf("decoded key proof: %v", err)
	}

	x, err := c.ProveAbsent([]byte("c"))
	if err != nil {
		t.Fatal(err)
	}
	encoded = config.EncodeExclusionProof(&x)
	if got := hex.EncodeToString(encoded); got != "00"+operation+"0162"+"023232"+"0161" || len(encoded) != 205 {
		t.Errorf("exclusion proof of %d bytes: %s", len(encoded), got)
	}
	absent, err := config.DecodeExclusionProof(encoded)
	if err != nil || config.VerifyAbsent(c.Root(), []byte("c"), &absent) != nil {
		t.Errorf("decoded exclusion proof: %v", err)
	}
	if err := config.VerifyAbsent(c.Root(), []byte("b"), &absent); !errors.Is(err, ErrProof) {
		t.Errorf("absence of a present key: %v", err)
	}
}

// An empty store proves that nothing is in it, whatever its commit carries.
//
// Spec: commonware §5.6.
func TestEmptyStoreExcludes(t *testing.T) {
	config := Config{}
	filled := next(t, New(config, NewMemory(config)), "a", "1", "b", "2")
	o := filled.Overlay()
	o.Delete([]byte("a"))
	o.Delete([]byte("b"))
	emptied, err := o.Commit(77)
	if err != nil {
		t.Fatal(err)
	}
	if emptied.Floor() != emptied.Length()-1 {
		t.Errorf("floor %d of %d", emptied.Floor(), emptied.Length())
	}
	p, err := emptied.ProveAbsent([]byte("a"))
	if err != nil || !p.Empty {
		t.Fatalf("%v %v", p.Empty, err)
	}
	again, err := config.DecodeExclusionProof(config.EncodeExclusionProof(&p))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"", "a", "zz"} {
		if err := config.VerifyAbsent(emptied.Root(), []byte(k), &again); err != nil {
			t.Errorf("%q: %v", k, err)
		}
		if err := config.VerifyAbsent(filled.Root(), []byte(k), &again); err == nil {
			t.Errorf("%q: verifies against another state", k)
		}
	}
	lone := next(t, emptied, "m", "1")
	q, err := lone.ProveAbsent([]byte("z"))
	if err != nil || config.VerifyAbsent(lone.Root(), []byte("a"), &q) != nil || config.VerifyAbsent(lone.Root(), []byte("m"), &q) == nil {
		t.Errorf("a lone key covers all others: %v", err)
	}
}

// A decoder takes any bytes; what it accepts, it encodes to the same bytes.
func FuzzProofs(f *testing.F) {
	c := workedStates(f)[2]
	config := Config{}
	kv, _ := c.ProveKey([]byte("b"))
	ex, _ := c.ProveAbsent([]byte("c"))
	em, _ := workedStates(f)[0].ProveAbsent([]byte("c"))
	f.Add(config.EncodeKeyValueProof(&kv))
	f.Add(config.EncodeExclusionProof(&ex))
	f.Add(config.EncodeExclusionProof(&em))
	f.Add(config.EncodeOperationProof(&kv.Operation))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := config.DecodeKeyValueProof(data); err == nil {
			if !bytes.Equal(config.EncodeKeyValueProof(&p), data) {
				t.Fatalf("key proof %x", data)
			}
			if config.VerifyKey(c.Root(), []byte("b"), []byte("23"), &p) == nil {
				t.Fatalf("key proof %x of a wrong value", data)
			}
		}
		if p, err := config.DecodeExclusionProof(data); err == nil {
			if !bytes.Equal(config.EncodeExclusionProof(&p), data) {
				t.Fatalf("exclusion proof %x", data)
			}
			if config.VerifyAbsent(c.Root(), []byte("b"), &p) == nil {
				t.Fatalf("exclusion proof %x of a present key", data)
			}
		}
		if p, err := config.DecodeOperationProof(data); err == nil && !bytes.Equal(config.EncodeOperationProof(&p), data) {
			t.Fatalf("operation proof %x", data)
		}
	})
}

// Spec: commonware §5.2.
func FuzzOperation(f *testing.F) {
	for _, text := range []string{"d30000", "d2016101310162", "d10163", "d301080000000000000007ac02"} {
		data, _ := hex.DecodeString(text)
		f.Add(data)
	}
	c := Config{}
	f.Fuzz(func(t *testing.T, data []byte) {
		op, err := c.DecodeOperation(data)
		if err != nil {
			if !errors.Is(err, ErrOperation) {
				t.Fatalf("%x: %v", data, err)
			}
			return
		}
		if again := c.AppendOperation(nil, &op); !bytes.Equal(again, data) {
			t.Fatalf("%x encodes as %x", data, again)
		}
	})
}

// Operations that are not canonical are refused.
//
// Spec: commonware §1.2, §5.2.
func TestOperationRefused(t *testing.T) {
	c := Config{}
	for name, text := range map[string]string{
		"empty": "", "unknown context": "d0", "key cut": "d10261", "bytes left": "d1016100",
		"length not minimal": "d1810061", "no next key": "d201610131", "option tag": "d30200",
		"floor not minimal": "d3008000", "floor too wide": "d300ffffffffffffffffff7f", "floor beyond the log": "d300808080808040",
		"key too long": "d1" + "8102" + string(bytes.Repeat([]byte("61"), 257)),
	} {
		t.Run(name, func(t *testing.T) {
			data, err := hex.DecodeString(text)
			if err != nil {
				t.Fatal(name, err)
			}
			if op, err := c.DecodeOperation(data); !errors.Is(err, ErrOperation) {
				t.Errorf("%s: %+v %v", name, op, err)
			}
		})
	}
}
