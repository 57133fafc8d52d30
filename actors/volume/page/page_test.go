package page

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

var shape = Shape{2, 1}

func roots(n byte) []digest.Hash { return []digest.Hash{{n, 1}, {n, 2}, {n, 3}} }

// stripe is one that holds so many bytes.
func stripe(number, size uint64) protocol.Numbered {
	return protocol.Numbered{Number: number, Stripe: protocol.Stripe{Size: uint32((size + 1) / 2), Roots: roots(byte(number))}}
}

// fileOf is a file whose bytes lie at these numbers; each stripe but the last is full, which has ten bytes.
func fileOf(path string, numbers ...uint64) Record {
	o := &cbfs.Object{Path: path, K: 2, M: 1, ShardHashes: roots(9)}
	r := Record{Entry: cbfs.Entry{Path: path, Kind: cbfs.File, Object: o}}
	for i, n := range numbers {
		size := uint64(2 << 20)
		if i == len(numbers)-1 {
			size = 10
		}
		o.CiphertextSize += size
		r.Stripes = append(r.Stripes, stripe(n, size))
	}
	o.Size = o.CiphertextSize
	return r
}

func linkOf(path, target string) Record {
	return Record{Entry: cbfs.Entry{Path: path, Kind: cbfs.Symlink, Target: target}}
}

func folderOf(path string) Record { return Record{Entry: cbfs.Entry{Path: path, Kind: cbfs.Directory}} }

// sample is a first page with all records, whose numbers 3, 4 and 7 are free.
func sample() *First {
	return &First{
		Numbers: 8, Free: Runs{{3, 2}, {7, 1}},
		Records: []Record{fileOf("a", 5, 1), folderOf("b"), fileOf("b/c", 2), fileOf("b/d"), linkOf("e", "b/c"), fileOf("f", 6)},
	}
}

// index is a first page with references, and its leaf pages as they lie on relays.
func index() (*First, [][]byte) {
	f := &First{Numbers: 11, Free: Runs{{3, 2}, {7, 1}}}
	all, leaves := sample().Records, [][]byte(nil)
	for i, list := range [][]Record{all[:2], all[2:4], all[4:]} {
		raw := EncodeLeaf(list)
		r := SumOf(list)
		r.Length, r.Hash, r.Page = uint64(len(raw)), digest.Blake3(raw), stripe(uint64(8+i), uint64(len(raw)))
		f.Pages, leaves = append(f.Pages, r), append(leaves, raw)
	}
	return f, leaves
}

// What is written is read again, and has the layout that the package says, which is written here by hand.
//
// Spec: storage-cbfs §2.4.
func TestPagesAreReadAsTheyWereWritten(t *testing.T) {
	f, leaves := index()
	for name, want := range map[string]*First{"with records": sample(), "with references": f, "empty": {Numbers: 1, Free: Runs{}}} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeFirst(want.Encode(), shape)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Encode(), want.Encode()) || got.Numbers != want.Numbers || !reflect.DeepEqual(got.Free, want.Free) {
				t.Errorf("%+v", got)
			}
			if len(want.Records) > 0 && !reflect.DeepEqual(got.Records, want.Records) || len(want.Pages) > 0 && !reflect.DeepEqual(got.Pages, want.Pages) {
				t.Errorf("%+v", got)
			}
		})
	}
	read, err := DecodeFirst(f.Encode(), shape)
	if err != nil {
		t.Fatal(err)
	}
	for place, raw := range leaves {
		t.Run(fmt.Sprint("leaf ", place), func(t *testing.T) {
			list, err := DecodeLeaf(raw, shape, read, place)
			if err != nil || !bytes.Equal(EncodeLeaf(list), raw) {
				t.Error(list, err)
			}
		})
	}
	entry := cbfs.Entry{Path: "x", Kind: cbfs.Symlink, Target: "y"}
	small := &First{Numbers: 200, Free: Runs{{1, 2}, {5, 195}}, Records: []Record{{Entry: entry}, fileOf("z", 3, 4)}}
	file := small.Records[1].Encode()
	want := slices.Concat([]byte{0, 200, 1, 2, 1, 2, 2, 0xc3, 1, 2, byte(len(entry.Encode()))}, entry.Encode(),
		[]byte{byte(len(file)&0x7f | 0x80), byte(len(file) >> 7)}, file, []byte{3}, joined(roots(3)), []byte{4}, joined(roots(4)))
	if got := small.Encode(); !bytes.Equal(got, want) {
		t.Errorf("%x\nwant\n%x", got, want)
	}
}

func joined(list []digest.Hash) (out []byte) {
	for i := range list {
		out = append(out, list[i][:]...)
	}
	return out
}

// Whatever a first page says that cannot be so is refused, each lie for its own reason.
//
// Spec: storage-cbfs §2.4 (read rule).
func TestFirstPagesThatLie(t *testing.T) {
	whole := func(change func(f *First)) []byte {
		f := sample()
		change(f)
		return f.Encode()
	}
	refs := func(change func(f *First)) []byte {
		f, _ := index()
		change(f)
		return f.Encode()
	}
	_, leaves := index()
	for name, one := range map[string]struct {
		raw  []byte
		want error
	}{
		"nothing":                      {nil, ErrForm},
		"another kind":                 {[]byte{3, 1, 0, 0}, ErrForm},
		"a leaf page":                  {leaves[0], ErrKind},
		"a byte less":                  {func() []byte { b := sample().Encode(); return b[:len(b)-1] }(), ErrForm},
		"a byte more":                  {append(sample().Encode(), 0), ErrForm},
		"no number":                    {whole(func(f *First) { f.Numbers = 0 }), ErrCount},
		"more numbers than any volume": {whole(func(f *First) { f.Numbers = MaxNumbers + 1 }), ErrCount},
		"a number nobody has":          {whole(func(f *First) { f.Numbers++ }), ErrCount},
		"records out of order":         {whole(func(f *First) { f.Records[0], f.Records[1] = f.Records[1], f.Records[0] }), ErrOrder},
		"a path twice":                 {whole(func(f *First) { f.Records[1] = folderOf("a") }), ErrOrder},
		"a path that is none":          {whole(func(f *First) { f.Records[1] = folderOf("b/../b") }), ErrForm},
		"another path in the object":   {whole(func(f *First) { f.Records[0].Object.Path = "b" }), ErrForm},
		"of another code":              {whole(func(f *First) { f.Records[0].Object.M = 2 }), ErrForm},
		"more than an object":          {whole(func(f *First) { f.Records[0].Object.CiphertextSize = MaxFile + 1 }), ErrLength},
		"the first page's number":      {whole(func(f *First) { f.Records[0].Stripes[0].Number = 0 }), ErrNumber},
		"a number beyond":              {whole(func(f *First) { f.Records[0].Stripes[0].Number = 8 }), ErrNumber},
		"a number twice":               {whole(func(f *First) { f.Records[0].Stripes[0].Number = 6 }), ErrNumber},
		"a free number":                {whole(func(f *First) { f.Records[0].Stripes[0].Number = 4 }), ErrFree},
		"the first page is free":       {whole(func(f *First) { f.Free = Runs{{0, 1}} }), ErrFree},
		"free runs that meet":          {whole(func(f *First) { f.Free = Runs{{3, 1}, {4, 1}, {7, 1}} }), ErrFree},
		"a free run of none":           {whole(func(f *First) { f.Free = Runs{{3, 0}} }), ErrFree},
		"a free run beyond":            {whole(func(f *First) { f.Free = Runs{{7, 2}} }), ErrFree},
		"a free run far beyond":        {whole(func(f *First) { f.Free = Runs{{7, 1<<64 - 3}} }), ErrFree},
		"references out of order":      {refs(func(f *First) { f.Pages[0], f.Pages[1] = f.Pages[1], f.Pages[0] }), ErrOrder},
		"pages with one beginning":     {refs(func(f *First) { f.Pages[1].First = "a" }), ErrOrder},
		"a beginning that is no path":  {refs(func(f *First) { f.Pages[0].First = "" }), ErrOrder},
		"a page of nothing":            {refs(func(f *First) { f.Pages[1].Entries = 0 }), ErrCount},
		"more files than entries":      {refs(func(f *First) { f.Pages[1].Files = 3 }), ErrCount},
		"more bytes than files have":   {refs(func(f *First) { f.Pages[1].Raw = 2*MaxFile + 1 }), ErrCount},
		"more entries than any volume": {refs(func(f *First) { f.Pages[1].Entries = cbfs.MaxManifest }), ErrCount},
		"more stripes than numbers":    {refs(func(f *First) { f.Pages[1].Stripes++ }), ErrCount},
		"fewer stripes than numbers":   {refs(func(f *First) { f.Pages[1].Stripes-- }), ErrCount},
		"a page of no bytes":           {refs(func(f *First) { f.Pages[1].Length = 0 }), ErrLength},
		"a page larger than any":       {refs(func(f *First) { f.Pages[1].Length = MaxBytes + 1 }), ErrLength},
		"itself as a page":             {refs(func(f *First) { f.Pages[1].Page.Number = 0 }), ErrNumber},
		"a page twice":                 {refs(func(f *First) { f.Pages[1].Page.Number = 8 }), ErrNumber},
		"a page at a free number":      {refs(func(f *First) { f.Pages[1].Page.Number = 7 }), ErrFree},
	} {
		t.Run(name, func(t *testing.T) {
			if f, err := DecodeFirst(one.raw, shape); !errors.Is(err, one.want) || f != nil {
				t.Errorf("%v %v, want %v", f, err, one.want)
			}
		})
	}
}

// A leaf page is what its reference says, or it is refused, each lie for its own reason.
//
// Spec: storage-cbfs §2.4 (read rule).
func TestLeafPagesThatLie(t *testing.T) {
	list := sample().Records[2:4]
	with := func(records ...Record) []byte { return EncodeLeaf(records) }
	keep := func(*First) {}
	f, leaves := index()
	for name, one := range map[string]struct {
		raw    []byte
		change func(f *First)
		want   error
	}{
		"nothing":                     {nil, keep, ErrForm},
		"the first page":              {f.Encode(), keep, ErrKind},
		"a first page with records":   {sample().Encode(), keep, ErrKind},
		"a byte more":                 {append(slices.Clone(leaves[1]), 0), keep, ErrForm},
		"another page":                {leaves[0], keep, ErrCount},
		"an entry less":               {with(list[0]), keep, ErrCount},
		"a folder for a file":         {with(list[0], folderOf("b/d")), keep, ErrCount},
		"a stripe more":               {with(list[0], fileOf("b/d", 1)), keep, ErrCount},
		"fewer bytes":                 {leaves[1], func(f *First) { f.Pages[1].Raw-- }, ErrCount},
		"another beginning":           {with(fileOf("b/b", 2), list[1]), keep, ErrOrder},
		"out of order":                {with(list[1], list[0]), keep, ErrOrder},
		"a path of the next page":     {with(list[0], fileOf("e")), keep, ErrOverlap},
		"a number of the first page":  {with(fileOf("b/c", 0), list[1]), keep, ErrNumber},
		"a number of a page":          {with(fileOf("b/c", 10), list[1]), keep, ErrNumber},
		"a number beyond":             {with(fileOf("b/c", 11), list[1]), keep, ErrNumber},
		"a free number":               {with(fileOf("b/c", 3), list[1]), keep, ErrFree},
		"a number twice in one place": {with(fileOf("b/c", 2, 2), list[1]), keep, ErrNumber},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := index()
			f, err := DecodeFirst(f.Encode(), shape)
			if err != nil {
				t.Fatal(err)
			}
			one.change(f)
			if list, err := DecodeLeaf(one.raw, shape, f, 1); !errors.Is(err, one.want) || list != nil {
				t.Errorf("%v %v, want %v", list, err, one.want)
			}
		})
	}
}

// What a record is counted with is no less than it takes, and hardly more.
func TestSizesOfRecords(t *testing.T) {
	long := strings.Repeat("p", cbfs.MaxPathBytes)
	for name, r := range map[string]Record{
		"a folder": folderOf("f"), "a link": linkOf("l", "t"), "a long folder": folderOf(long), "a long link": linkOf(long, long),
		"an empty file": fileOf("f"), "a file": fileOf("f", 1), "a large file": fileOf(long, 1, 2, 3, MaxNumbers-1),
	} {
		t.Run(name, func(t *testing.T) {
			takes := len(r.append(nil))
			if size := r.Size(shape); size < takes || size > takes+2+4*len(r.Stripes) {
				t.Errorf("%d, and it takes %d", size, takes)
			}
		})
	}
}

// Records are shared out whole and in order, none of the pages is too large but one of a single record, and all but the last are about as large.
func TestPagesAreShared(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var list []Record
		for i := range r.IntN(60) {
			list = append(list, linkOf(fmt.Sprintf("%03d", i), strings.Repeat("t", 1+r.IntN(300))))
		}
		most := 100 + r.IntN(3_000)
		pages := Split(list, shape, most)
		if got := slices.Concat(pages...); len(got) != len(list) || len(list) > 0 && !reflect.DeepEqual(got, list) {
			t.Fatal("other records")
		}
		total := SizeOf(list, shape)
		for i, one := range pages {
			size := SizeOf(one, shape)
			if len(one) == 0 || size > most && len(one) > 1 {
				t.Fatalf("page %d of %d records has %d bytes, at most %d", i, len(one), size, most)
			}
			if largest := 350; most > largest && i < len(pages)-1 && size < total/((total+most-1)/most)-largest {
				t.Fatalf("page %d of %d has %d bytes of %d, at most %d", i, len(pages), size, total, most)
			}
		}
	}
}

// Numbers are taken and given back as in a set: the lowest free one goes first.
func TestRunsAgainstASet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pool, used, free := Pool{Numbers: 1}, map[uint64]bool{0: true}, map[uint64]bool{}
	for range 2_000 {
		if r.IntN(3) > 0 {
			want := pool.Numbers
			for n := range free {
				want = min(want, n)
			}
			if got := pool.Take(); got != want || used[got] {
				t.Fatalf("%d is given out, want %d", got, want)
			}
			delete(free, want)
			used[want] = true
			continue
		}
		var back []uint64
		for n := range used {
			if n != 0 && r.IntN(8) == 0 {
				back = append(back, n)
			}
		}
		for _, n := range back {
			delete(used, n)
			free[n] = true
		}
		pool.Free = pool.Free.With(back)
		if pool.Free.Len() != uint64(len(free)) {
			t.Fatal(pool.Free.Len(), len(free))
		}
		for n := range pool.Numbers + 2 {
			if pool.Free.Has(n) != free[n] {
				t.Fatalf("%d is free: %v", n, free[n])
			}
		}
		for i := range pool.Free {
			if i > 0 && pool.Free[i].First <= pool.Free[i-1].First+pool.Free[i-1].Length {
				t.Fatal(pool.Free)
			}
		}
	}
	if len(used)+len(free) != int(pool.Numbers) || len(free) == 0 {
		t.Error(len(used), len(free), pool.Numbers)
	}
}

// Spec: storage-cbfs §2.4.
func TestGoldenRecords(t *testing.T) {
	first, leaves := index()
	golden.Records(t, map[string][]byte{"FirstWithRecords": sample().Encode(), "FirstWithReferences": first.Encode(), "Leaf": leaves[1]})
}

// Whatever is read as a page is written the same again.
func FuzzPages(f *testing.F) {
	first, leaves := index()
	f.Add(sample().Encode())
	f.Add(first.Encode())
	f.Add(leaves[1])
	known, err := DecodeFirst(first.Encode(), shape)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if v, err := DecodeFirst(raw, shape); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Errorf("%x is written as %x", raw, v.Encode())
		}
		if v, err := DecodeLeaf(raw, shape, known, 1); err == nil && !bytes.Equal(EncodeLeaf(v), raw) {
			t.Errorf("%x is written as %x", raw, EncodeLeaf(v))
		}
	})
}
