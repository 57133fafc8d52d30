package foreign

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// bin is bytes that the vectors show as hexadecimal digits.
type bin []byte

func (b *bin) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

// vectors is what client.mjs printed.
type vectors struct {
	Transfers []struct {
		Keys, Signers                       []bin
		Chain, Nonce, Amount, Cycles, Cells string
		Fees                                [4]string
		To, Metadata, Unsigned, Hash        bin
		Signed                              bin
	}
	Actors []struct {
		Source, Creator, Salt bin
		CodeHash              bin `json:"code_hash"`
		Address               bin
	}
	Hashes []struct {
		Size                    int
		Data, Keccak256, Blake3 bin
	}
	Lists []struct {
		N    int
		Root bin
	}
}

func load(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile("vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func number(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTransfers builds each transfer of the foreign client anew and expects the same preimage, hash and, since nonces follow RFC 6979, the same
// signatures; and it decodes what the client signed.
//
// Spec: WP §1.1, §2.5, A.
func TestTransfers(t *testing.T) {
	all := load(t).Transfers
	if len(all) != 40 {
		t.Fatalf("%d transfers, want 40", len(all))
	}
	for i, v := range all {
		ours := &tx.Tx{
			ChainID: number(t, v.Chain), Nonce: number(t, v.Nonce),
			Instruction: &tx.Transfer{To: account.Address(v.To), Amount: unit.Amount(number(t, v.Amount))},
			CyclesLimit: unit.Cycles(number(t, v.Cycles)), CellsLimit: unit.Cells(number(t, v.Cells)),
			MaxFeePerCycle: number(t, v.Fees[0]), MaxFeePerCell: number(t, v.Fees[1]),
			MaxPriorityFeePerCycle: number(t, v.Fees[2]), MaxPriorityFeePerCell: number(t, v.Fees[3]),
			From: account.Address(v.Signers[0]), Metadata: v.Metadata,
		}
		for _, s := range v.Signers[1:] {
			ours.AdditionalSigners = append(ours.AdditionalSigners, tx.Signer{Address: account.Address(s)})
		}
		if got := ours.AppendUnsigned(nil); !bytes.Equal(got, v.Unsigned) {
			t.Errorf("transfer %d: preimage %x, the client has %x", i, got, v.Unsigned)
		}
		hash := ours.SigningHash()
		if !bytes.Equal(hash[:], v.Hash) {
			t.Errorf("transfer %d: hash %s, the client has %x", i, hash, v.Hash)
		}
		for j, raw := range v.Keys {
			key, err := sig.ParsePrivateKey(raw)
			if err != nil {
				t.Fatal(err)
			}
			if key.Address() != account.Address(v.Signers[j]) {
				t.Errorf("transfer %d: key %d is %s, the client says %x", i, j, key.Address(), v.Signers[j])
			}
			if j == 0 {
				ours.Signature = key.Sign(hash)
			} else {
				ours.AdditionalSigners[j-1].Signature = key.Sign(hash)
			}
		}
		if got := ours.Encode(); !bytes.Equal(got, v.Signed) {
			t.Errorf("transfer %d: signed %x, the client has %x", i, got, v.Signed)
		}
		theirs, err := tx.Decode(v.Signed)
		if err != nil {
			t.Errorf("transfer %d: %v", i, err)
			continue
		}
		who, err := sig.Default().Recover(theirs.SigningHash(), theirs.Signature)
		if err != nil || who != theirs.From {
			t.Errorf("transfer %d: recovered %s (%v), the client signed for %s", i, who, err, theirs.From)
		}
	}
}

// TestActors holds source in canonical form, code hashes and addresses against the client's.
//
// Spec: WP §1.2.
func TestActors(t *testing.T) {
	for _, v := range load(t).Actors {
		source, err := pvm.CanonicalSource(v.Source)
		if err != nil {
			t.Fatal(err)
		}
		code := account.CodeHash(source)
		if !bytes.Equal(code[:], v.CodeHash) {
			t.Errorf("%q: code hash %s, the client has %x", v.Source, code, v.CodeHash)
		}
		if got := account.DeriveActor(account.Address(v.Creator), account.Salt(v.Salt), code); !bytes.Equal(got[:], v.Address) {
			t.Errorf("%q: address %s, the client has %x", v.Source, got, v.Address)
		}
	}
}

// TestHashes holds both hash functions and the roots of lists against the client's.
//
// Spec: commonware §6.
func TestHashes(t *testing.T) {
	all := load(t)
	for _, v := range all.Hashes {
		if len(v.Data) != v.Size {
			t.Fatalf("%d bytes, want %d", len(v.Data), v.Size)
		}
		if got := digest.Keccak256(v.Data); !bytes.Equal(got[:], v.Keccak256) {
			t.Errorf("keccak256 of %d bytes: %s, the client has %x", v.Size, got, v.Keccak256)
		}
		if got := digest.Blake3(v.Data); !bytes.Equal(got[:], v.Blake3) {
			t.Errorf("blake3 of %d bytes: %s, the client has %x", v.Size, got, v.Blake3)
		}
	}
	for _, v := range all.Lists {
		leaves := make([]digest.Hash, v.N)
		for i := range leaves {
			leaves[i] = digest.Keccak256(binary.BigEndian.AppendUint64(nil, uint64(i)))
		}
		if got := digest.MerkleRoot(leaves); !bytes.Equal(got[:], v.Root) {
			t.Errorf("the list of %d: root %s, the client has %x", v.N, got, v.Root)
		}
	}
}
