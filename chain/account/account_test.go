package account

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The checksummed addresses are the examples of EIP-55.
// Spec: node-rpc-cli §4.3; WP §1.1.
func TestChecksumVectors(t *testing.T) {
	for _, want := range []string{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
		"0x52908400098527886E0F7030069857D2E4169EE7", "0xde709f2102306220921060314715629080e2fb77",
	} {
		for _, text := range []string{want, strings.ToLower(want), want[2:], strings.ToUpper(want[2:])} {
			a, err := ParseAddress(text)
			if err != nil || a.String() != want {
				t.Errorf("ParseAddress(%q) = %v, %v", text, a, err)
			}
			if b, err := ReadAddress(text); err != nil || b != a {
				t.Errorf("ReadAddress(%q) = %v, %v", text, b, err)
			}
		}
	}
	for _, mistyped := range []string{ // a letter in the other case, two digits exchanged
		"0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d395", "dbF03B407c01E7cD3CBea99509d93f8DDDC8C6Fb",
		"0x52908400098527886E0F7030069857D2E4169eE7",
	} {
		var into Address
		if _, err := ReadAddress(mistyped); !errors.Is(err, ErrChecksum) || !errors.Is(into.UnmarshalText([]byte(mistyped)), ErrChecksum) {
			t.Errorf("ReadAddress(%q): %v", mistyped, err)
		}
	}
	for _, bad := range []string{"", "0x", "0x12", strings.Repeat("0", 41), "0x" + strings.Repeat("g", 40), "0X" + strings.Repeat("0", 40)} {
		if _, err := ParseAddress(bad); !errors.Is(err, ErrAddress) {
			t.Errorf("ParseAddress(%q): %v", bad, err)
		}
		if _, err := ReadAddress(bad); !errors.Is(err, ErrAddress) {
			t.Errorf("ReadAddress(%q): %v", bad, err)
		}
	}
}

// Spec: WP §1.3, §9.
func TestSystemAddresses(t *testing.T) {
	if got := System(0x0a).Hex(); got != "000000000000000000000000000000000000000a" {
		t.Error(got)
	}
	var outside Address
	outside[18] = 1 // 0x0100
	for i, c := range []struct {
		addr               Address
		reserved, enforced bool
	}{
		{Address{}, true, false}, {System(1), true, true}, {System(0x0f), true, true}, {System(0x10), true, false},
		{System(0x1d), true, false}, {System(0xff), true, false}, {outside, false, false}, {Address{1}, false, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if c.addr.IsReserved() != c.reserved || c.addr.InEnforcedBand() != c.enforced {
				t.Errorf("%v: reserved %v, enforced %v", c.addr, c.addr.IsReserved(), c.addr.InEnforcedBand())
			}
		})
	}
	table := SystemTable()
	if len(table) != 20 {
		t.Errorf("%d system actors, the table of §9 has 20", len(table))
	}
	for i := 1; i < len(table); i++ {
		if table[i-1].Number >= table[i].Number {
			t.Errorf("%s is out of order", table[i].Name)
		}
	}
}

// Spec: WP §1.2; node-rpc-cli §4.2 (left padding).
func TestDeriveActor(t *testing.T) {
	source := []byte("class A: pass\n")
	var creator Address
	for i := range creator {
		creator[i] = byte(i)
	}
	salt, err := PadSalt([]byte{0xab, 0xcd})
	if err != nil {
		t.Fatal(err)
	}
	var preimage []byte
	preimage = append(preimage, creator[:]...)
	preimage = append(preimage, make([]byte, 30)...)
	preimage = append(preimage, 0xab, 0xcd)
	code := digest.Keccak256(source)
	preimage = append(preimage, code[:]...)
	whole := digest.Keccak256(preimage)
	got := DeriveActor(creator, salt, CodeHash(source))
	if !bytes.Equal(got[:], whole[12:]) {
		t.Errorf("%v, want the last 20 bytes of %v", got, whole)
	}
	if same, _ := PadSalt([]byte{0, 0, 0xab, 0xcd}); same != salt {
		t.Error("leading zero bytes change a salt")
	}
	if _, err := PadSalt(make([]byte, 33)); !errors.Is(err, ErrSalt) {
		t.Errorf("33 bytes of salt: %v", err)
	}
	if full, err := PadSalt(bytes.Repeat([]byte{9}, 32)); err != nil || full[0] != 9 {
		t.Errorf("32 bytes of salt: %v", err)
	}
}

// Spec: commonware §5.10.
func TestKeys(t *testing.T) {
	addr := System(9)
	key := KeyString(KindStorage, addr, "system:timer_config")
	want := "0103" + addr.Hex() + hex.EncodeToString([]byte("system:timer_config"))
	if hex.EncodeToString(key) != want {
		t.Errorf("%x, want %s", key, want)
	}
	if !bytes.Equal(key, Key(KindStorage, addr, []byte("system:timer_config")...)) {
		t.Error("Key and KeyString differ")
	}
	for k := range kindCount {
		kind, a, suffix, ok := SplitKey(Key(k, addr, 1, 2))
		if !ok || kind != k || a != addr || !bytes.Equal(suffix, []byte{1, 2}) {
			t.Errorf("kind %d does not split", k)
		}
		if !bytes.HasPrefix(Key(k, addr), KindPrefix(k)) {
			t.Errorf("kind %d: prefix", k)
		}
	}
	for _, bad := range [][]byte{nil, make([]byte, 21), append([]byte{1, 0}, make([]byte, 20)...), append([]byte{0, 3}, make([]byte, 20)...),
		append([]byte{0, 0x0a}, make([]byte, 20)...), append([]byte{2, 3}, make([]byte, 20)...), append([]byte{2, 0x0b}, make([]byte, 20)...)} {
		if _, _, _, ok := SplitKey(bad); ok {
			t.Errorf("%x splits", bad)
		}
	}
}

func actorAccount() Account {
	return Account{
		Balance: 5 * unit.CBY, Nonce: 3, Kind: Actor, CodeHash: digest.Hash{1}, Creator: Address{2}, CreatedAt: 7,
		MailboxBytes: 100, MailboxCount: 2, Timers: 4, Deferred: 1, StorageBytes: 300, QuotaBytes: 1 << 21, Dormant: true,
		CodeBytes: 900, RentEpoch: 12, RentMissed: 3,
	}
}

// Spec: WP §2.5; "Accounts and State".
func TestAccountEncoding(t *testing.T) {
	plain := Account{Balance: 300, Nonce: 1}
	if got := hex.EncodeToString(plain.Encode()); got != "00ac0201" {
		t.Errorf("plain account %s", got)
	}
	full := actorAccount()
	top := Account{
		Balance: 1<<64 - 1, Nonce: 1<<64 - 1, Kind: SystemActor, CreatedAt: 1<<64 - 1, MailboxBytes: 1<<64 - 1, MailboxCount: 1<<64 - 1,
		Timers: 1<<32 - 1, Deferred: 1<<32 - 1, StorageBytes: 1<<64 - 1, QuotaBytes: 1<<64 - 1,
		CodeBytes: 1<<64 - 1, RentEpoch: 1<<64 - 1, RentMissed: 1<<32 - 1,
	}
	if n := len(top.Encode()); n != MaxEncodedSize {
		t.Errorf("largest account has %d bytes, bound is %d", n, MaxEncodedSize)
	}
	for _, a := range []Account{{}, plain, full, top} {
		got, err := Decode(a.Encode())
		if err != nil || got != a {
			t.Errorf("%+v decodes to %+v, %v", a, got, err)
		}
	}
	for _, bad := range []string{"", "03", "0000", "000000ff", "00800000", "0100"} {
		raw, _ := hex.DecodeString(bad)
		if _, err := Decode(raw); err == nil {
			t.Errorf("%s decodes", bad)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an external account with actor fields encodes")
		}
	}()
	(&Account{Timers: 1}).Encode()
}

func FuzzDecodeAccount(f *testing.F) {
	a := actorAccount()
	f.Add(a.Encode())
	f.Add([]byte{0, 1, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Decode(data)
		if err == nil && !bytes.Equal(a.Encode(), data) {
			t.Errorf("%x encodes to %x", data, a.Encode())
		}
	})
}

func BenchmarkAccount(b *testing.B) {
	a := Account{Balance: 5000 * unit.CBY, Nonce: 12}
	data := a.Encode()
	b.Run("op=decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := Decode(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=encode", func(b *testing.B) {
		buf := make([]byte, 0, MaxEncodedSize)
		for b.Loop() {
			buf = a.Append(buf[:0])
		}
	})
}
