package account

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode"

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
		}
	}
	for _, bad := range []string{"", "0x", "0x12", strings.Repeat("0", 41), "0x" + strings.Repeat("g", 40), "0X" + strings.Repeat("0", 40)} {
		if _, err := ParseAddress(bad); !errors.Is(err, ErrAddress) {
			t.Errorf("ParseAddress(%q): %v", bad, err)
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
	for _, c := range []struct {
		addr               Address
		reserved, enforced bool
	}{
		{Address{}, true, false}, {System(1), true, true}, {System(0x0f), true, true}, {System(0x10), true, false},
		{System(0x1d), true, false}, {System(0xff), true, false}, {outside, false, false}, {Address{1}, false, false},
	} {
		if c.addr.IsReserved() != c.reserved || c.addr.InEnforcedBand() != c.enforced {
			t.Errorf("%v: reserved %v, enforced %v", c.addr, c.addr.IsReserved(), c.addr.InEnforcedBand())
		}
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

// Expected forms recorded from CPython 3.11 (Unicode 14.0).
// Spec: WP §1.2 (NFC).
func TestCanonicalSourceAgreesWithPython(t *testing.T) {
	f, err := os.Open("testdata/nfc14.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		in, want, _ := strings.Cut(s.Text(), " ")
		source, err1 := hex.DecodeString(in)
		expected, err2 := hex.DecodeString(want)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		expected = bytes.ReplaceAll(expected, []byte("\r"), []byte("\n"))
		got, err := CanonicalSource(bytes.TrimPrefix(source, []byte("\ufeff")))
		if err != nil || !bytes.Equal(got, bytes.TrimPrefix(expected, []byte("\ufeff"))) {
			t.Errorf("%s: %x, %v; want %s", in, got, err, want)
		}
	}
	if lines < 500 {
		t.Errorf("only %d cases", lines)
	}
}

// Spec: WP §1.2.
func TestCanonicalSource(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"a\n":                 "a\n",
		"a\r\nb\rc\n\r":       "a\nb\nc\n\n",
		"\r\r\n":              "\n\n",
		"\ufeffx = 1\n":       "x = 1\n",
		"\ufeff\ufeffx":       "x",
		"e\u0301 = 1\r\n":     "\u00e9 = 1\n",
		"x\ufeff":             "x\ufeff", // only a leading mark is a byte order mark
		"# \U0001FAE0 is new": "# \U0001FAE0 is new",
	} {
		got, err := CanonicalSource([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
		if again, err := CanonicalSource(got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%q: the canonical form is not canonical", in)
		}
	}
	for in, want := range map[string]error{
		"\xff":                               ErrSourceUTF8,
		"\xed\xa0\x80":                       ErrSourceUTF8, // a surrogate
		"\xc0\x80":                           ErrSourceUTF8, // over-long
		"\u0378":                             ErrSourceUnassigned,
		"\ufffe":                             ErrSourceUnassigned,
		"\U0001FAE9":                         ErrSourceUnassigned, // Unicode 16
		"\u0cf3":                             ErrSourceUnassigned, // Unicode 15
		"a" + strings.Repeat("\u0301", 31):   ErrSourceMarks,
		"a" + strings.Repeat("\u0300", 1000): ErrSourceMarks,
	} {
		if _, err := CanonicalSource([]byte(in)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", in, err, want)
		}
	}
	if _, err := CanonicalSource([]byte("a" + strings.Repeat("\u0301", 30))); err != nil {
		t.Errorf("30 marks: %v", err)
	}
}

// Unicode 14.0 has 144,697 graphic and format characters, 65 control codes and
// 137,468 private-use code points (the standard's own counts), and Go's later
// version assigns all of them.
// Spec: WP §1.2.
func TestAssignedTable(t *testing.T) {
	count := 0
	known := []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !isAssigned(r) {
			continue
		}
		count++
		if !unicode.In(r, known...) {
			t.Fatalf("%U is unknown to a later Unicode", r)
		}
	}
	if want := 144_697 + 65 + 137_468; count != want {
		t.Errorf("%d code points, want %d", count, want)
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
	for _, bad := range [][]byte{nil, make([]byte, 21), append([]byte{1, 0}, make([]byte, 20)...), append([]byte{0, 3}, make([]byte, 20)...), append([]byte{0, 0x0a}, make([]byte, 20)...)} {
		if _, _, _, ok := SplitKey(bad); ok {
			t.Errorf("%x splits", bad)
		}
	}
}

func actorAccount() Account {
	return Account{
		Balance: 5 * unit.CBY, Nonce: 3, Kind: Actor, CodeHash: digest.Hash{1}, Creator: Address{2}, CreatedAt: 7,
		MailboxBytes: 100, MailboxCount: 2, Timers: 4, Deferred: 1, StorageBytes: 300, QuotaBytes: 1 << 21, Dormant: true,
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

func FuzzCanonicalSource(f *testing.F) {
	f.Add([]byte("e\u0301\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := CanonicalSource(data)
		if err != nil {
			return
		}
		twice, err := CanonicalSource(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%q: %q then %q, %v", data, once, twice, err)
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
