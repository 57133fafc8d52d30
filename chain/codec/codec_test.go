package codec

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Spec: commonware §1.2 (accepted column).
func TestVarintForms(t *testing.T) {
	for i, c := range []struct {
		value uint64
		want  string
	}{
		{0, "00"}, {1, "01"}, {127, "7f"}, {128, "8001"}, {300, "ac02"}, {16383, "ff7f"}, {16384, "808001"},
		{50000, "d08603"}, {math.MaxUint32, "ffffffff0f"}, {math.MaxUint64, "ffffffffffffffffff01"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := AppendUint(nil, c.value)
			if hex.EncodeToString(got) != c.want {
				t.Errorf("%d encodes to %x, want %s", c.value, got, c.want)
			}
			if UintSize(c.value) != len(got) {
				t.Errorf("UintSize(%d) = %d", c.value, UintSize(c.value))
			}
			r := NewReader(got)
			if v := r.Uint(); v != c.value || r.Finish() != nil {
				t.Errorf("%x decodes to %d, %v", got, v, r.Err())
			}
		})
	}
	for value, want := range map[int64]string{0: "00", -1: "01", 1: "02", -3: "05", math.MinInt64: "ffffffffffffffffff01"} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			got := AppendInt(nil, value)
			r := NewReader(got)
			if hex.EncodeToString(got) != want || r.Int() != value {
				t.Errorf("%d encodes to %x, want %s", value, got, want)
			}
		})
	}
}

// Spec: commonware §1.2 (rejected column).
func TestVarintRefusals(t *testing.T) {
	for i, c := range []struct {
		input string
		width int
		class error
	}{
		{"8000", 64, ErrVarint}, {"ff00", 64, ErrVarint}, {"ff8000", 64, ErrVarint},
		{"ffffffff1f", 32, ErrVarint}, {"8080808080", 32, ErrVarint}, {"808080808001", 32, ErrVarint},
		{"80808080808080808002", 64, ErrVarint}, {"8080808080808080808001", 64, ErrVarint},
		{"ffff04", 16, ErrVarint}, {"808080", 16, ErrVarint},
		{"80", 64, ErrShort}, {"", 64, ErrShort}, {"ffff", 16, ErrShort},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := NewReader(unhex(t, c.input))
			switch c.width {
			case 16:
				r.Uint16()
			case 32:
				r.Uint32()
			default:
				r.Uint()
			}
			if !errors.Is(r.Err(), c.class) {
				t.Errorf("%s as u%d: %v, want %v", c.input, c.width, r.Err(), c.class)
			}
		})
	}
	r := NewReader(unhex(t, "ffff03"))
	if r.Uint16() != math.MaxUint16 || r.Finish() != nil {
		t.Errorf("largest u16: %v", r.Err())
	}
}

// Spec: commonware §1.4.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"Some(42 as u32)", AppendU32(AppendBool(nil, true), 42), "010000002a"},
		{"None", AppendBool(nil, false), "00"},
		{"hello", AppendBytes(nil, []byte("hello")), "0568656c6c6f"},
		{"tuple", AppendU32(AppendBool(AppendU16(nil, 0xABCD), false), 0xDEADBEEF), "abcd00deadbeef"},
		{"option in tuple", AppendU8(AppendU16(AppendBool(nil, true), 0x1234), 0xff), "011234ff"},
		{"Round(0,5)", AppendUint(AppendUint(nil, 0), 5), "0005"},
		{"Round(1,300)", AppendUint(AppendUint(nil, 1), 300), "01ac02"},
		{"150 bytes", AppendBytes(nil, make([]byte, 150))[:3], "960100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if hex.EncodeToString(c.got) != c.want {
				t.Errorf("%s: %x, want %s", c.name, c.got, c.want)
			}
		})
	}
}

// Spec: commonware §1.1, §1.3.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		input string
		read  func(*Reader)
		class error
	}{
		{"bool 2", "02", func(r *Reader) { r.Bool() }, ErrBool},
		{"option ff", "ff", func(r *Reader) { r.OptionUint() }, ErrBool},
		{"tag out of range", "03", func(r *Reader) { r.Tag(3) }, ErrEnum},
		{"trailing", "0102", func(r *Reader) { r.U8() }, ErrTrailing},
		{"short u64", "00000000000000", func(r *Reader) { r.U64() }, ErrShort},
		{"short u32", "000000", func(r *Reader) { r.U32() }, ErrShort},
		{"short u16", "00", func(r *Reader) { r.U16() }, ErrShort},
		{"short fixed", "0000", func(r *Reader) { r.Fixed(3) }, ErrShort},
		{"bytes above limit", "03aabbcc", func(r *Reader) { r.Bytes(2) }, ErrLength},
		{"bytes beyond input", "03aabb", func(r *Reader) { r.Bytes(10) }, ErrShort},
		{"huge length", "ffffffff0f", func(r *Reader) { r.Len(0, math.MaxUint32, 1) }, ErrShort},
		{"length below minimum", "00", func(r *Reader) { r.Len(1, 5, 0) }, ErrLength},
		{"length above u32", "ffffffffff01", func(r *Reader) { r.Len(0, math.MaxInt, 0) }, ErrVarint},
		{"option without value", "01", func(r *Reader) { r.OptionUint() }, ErrShort},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(unhex(t, c.input))
			c.read(r)
			err := r.Finish()
			var detail *Error
			if !errors.Is(err, c.class) || !errors.As(err, &detail) {
				t.Errorf("%s: %v, want %v", c.name, err, c.class)
			}
			if r.Remaining() != 0 || r.Uint() != 0 || r.Bool() || r.Fixed(1) != nil || r.Err() != err {
				t.Errorf("%s: the error does not stick", c.name)
			}
		})
	}
}

func TestReaderAliasesWithClippedCapacity(t *testing.T) {
	input := []byte{2, 'a', 'b', 'c'}
	b := NewReader(input).Bytes(5)
	if string(b) != "ab" || cap(b) != 2 {
		t.Errorf("%q with capacity %d", b, cap(b))
	}
	if empty := NewReader([]byte{0}).Bytes(5); empty == nil || len(empty) != 0 {
		t.Error("an empty string reads as nil")
	}
}

// What decodes as a mixture of every primitive encodes to the same bytes.
// Spec: WP §2.5.
func FuzzReader(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(AppendBytes(AppendUint(nil, 1<<40), []byte("payload")))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		var out []byte
		for r.Err() == nil && r.Remaining() > 0 {
			switch kind := r.U8(); kind % 8 {
			case 0:
				out = AppendUint(append(out, kind), r.Uint())
			case 1:
				out = AppendUint(append(out, kind), uint64(r.Uint32()))
			case 2:
				out = AppendInt(append(out, kind), r.Int())
			case 3:
				out = AppendBool(append(out, kind), r.Bool())
			case 4:
				out = AppendBytes(append(out, kind), r.Bytes(100))
			case 5:
				out = AppendU64(append(out, kind), r.U64())
			case 6:
				out = AppendOptionUint(append(out, kind), r.OptionUint())
			case 7:
				out = AppendU16(append(out, kind), r.U16())
			}
		}
		if r.Finish() == nil && !bytes.Equal(out, data) {
			t.Errorf("%x encodes to %x", data, out)
		}
	})
}

func BenchmarkVarint(b *testing.B) {
	data := AppendUint(nil, 50000)
	b.Run("value=50000", func(b *testing.B) {
		for b.Loop() {
			r := Reader{buf: data}
			r.Uint()
		}
	})
}
