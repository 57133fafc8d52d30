package page

import (
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The kinds of pages.
const (
	kindWhole uint8 = iota // the first page, with all records
	kindIndex              // the first page, with references
	kindLeaf
)

// Ref refers to a leaf page, and says what is in it.
type Ref struct {
	First   string // path
	Entries uint64
	Files   uint64
	Stripes uint64 // of files
	Raw     uint64 // bytes of files as they lie on relays
	Length  uint64 // bytes of the page as it lies on relays
	Hash    digest.Hash
	Page    protocol.Numbered
}

// SumOf is what a reference says of records, without where they lie.
func SumOf(list []Record) (sum Ref) {
	if len(list) > 0 {
		sum.First = list[0].Path
	}
	sum.Entries = uint64(len(list))
	for i := range list {
		if list[i].Kind == cbfs.File {
			sum.Files++
			sum.Stripes += uint64(len(list[i].Stripes))
			sum.Raw += list[i].Object.CiphertextSize
		}
	}
	return sum
}

func (r *Ref) append(dst []byte) []byte {
	dst = codec.AppendBytes(dst, []byte(r.First))
	for _, n := range [...]uint64{r.Entries, r.Files, r.Stripes, r.Raw, r.Page.Number, r.Length} {
		dst = codec.AppendUint(dst, n)
	}
	return appendRoots(codec.AppendFixed(dst, r.Hash[:]), r.Page.Roots)
}

// First is the first page. It has records or references, or neither.
type First struct {
	Numbers uint64
	Free    Runs
	Records []Record
	Pages   []Ref

	own map[uint64]bool // numbers of leaf pages, where the page was read
}

// Encode is the page before it is sealed.
func (f *First) Encode() []byte {
	kind := kindWhole
	if len(f.Pages) > 0 {
		kind = kindIndex
	}
	dst := f.Free.append(codec.AppendUint([]byte{kind}, f.Numbers))
	if kind == kindWhole {
		return appendRecords(dst, f.Records)
	}
	dst = codec.AppendLen(dst, len(f.Pages))
	for i := range f.Pages {
		dst = f.Pages[i].append(dst)
	}
	return dst
}

func appendRecords(dst []byte, list []Record) []byte {
	dst = codec.AppendLen(dst, len(list))
	for i := range list {
		dst = list[i].append(dst)
	}
	return dst
}

// DecodeFirst reads what First.Encode wrote. The page is one whose numbers are all accounted for, as far as it tells. Rejects: ErrForm, ErrKind, ErrOrder,
// ErrCount, ErrLength, ErrNumber, ErrFree.
func DecodeFirst(data []byte, shape Shape) (*First, error) {
	in, f := codec.NewReader(data), new(First)
	kind := in.U8()
	if in.Err() == nil && kind == kindLeaf {
		return nil, ErrKind
	}
	f.Numbers = in.Uint()
	switch {
	case in.Err() != nil || kind > kindLeaf:
		return nil, ErrForm
	case f.Numbers == 0 || f.Numbers > MaxNumbers:
		return nil, ErrCount
	}
	var err error
	if f.Free, err = readRuns(in, f.Numbers); err != nil {
		return nil, err
	}
	u := &used{seen: map[uint64]bool{}, first: f}
	taken := uint64(0)
	if kind == kindWhole {
		if f.Records, err = readRecords(in, shape); err == nil {
			err = u.takeAll(f.Records)
		}
		if err != nil {
			return nil, err
		}
		taken = uint64(len(u.seen))
	} else if taken, err = f.references(in, shape, u); err != nil {
		return nil, err
	} else {
		f.own = u.seen
	}
	if 1+taken+f.Free.Len() != f.Numbers {
		return nil, ErrCount
	}
	return f, nil
}

// references reads those to leaf pages, and counts the numbers that they account for.
func (f *First) references(in *codec.Reader, shape Shape, u *used) (taken uint64, err error) {
	least := 1 + 1 + 6 + digest.Size*(1+shape.Slots())
	f.Pages = make([]Ref, in.Len(1, cbfs.MaxManifest, least))
	var sum Ref
	for i := range f.Pages {
		r := &f.Pages[i]
		r.First = string(in.Bytes(cbfs.MaxPathBytes))
		r.Entries, r.Files, r.Stripes, r.Raw = in.Uint(), in.Uint(), in.Uint(), in.Uint()
		number := in.Uint()
		r.Length = in.Uint()
		in.Into(r.Hash[:])
		raw := in.Fixed(digest.Size * shape.Slots())
		if in.Err() != nil {
			return 0, ErrForm
		}
		switch {
		case cbfs.CheckPath(r.First) != nil || i > 0 && f.Pages[i-1].First >= r.First:
			return 0, ErrOrder
		case r.Length == 0 || r.Length > MaxBytes:
			return 0, ErrLength
		case r.Entries == 0 || r.Entries > cbfs.MaxManifest || r.Files > r.Entries || r.Stripes > MaxNumbers || r.Raw > r.Files*MaxFile:
			return 0, ErrCount
		}
		if err := u.take(number); err != nil {
			return 0, err
		}
		r.Page.Number, r.Page.Size, r.Page.Roots = number, shape.Chunk(r.Length), make([]digest.Hash, shape.Slots())
		for j := range r.Page.Roots {
			r.Page.Roots[j] = digest.Hash(raw[j*digest.Size:])
		}
		sum.Entries, sum.Stripes = sum.Entries+r.Entries, sum.Stripes+r.Stripes
	}
	switch {
	case in.Finish() != nil:
		return 0, ErrForm
	case sum.Entries > cbfs.MaxManifest:
		return 0, ErrCount
	}
	return sum.Stripes + uint64(len(f.Pages)), nil
}

// EncodeLeaf is a leaf page before it is sealed.
func EncodeLeaf(list []Record) []byte { return appendRecords([]byte{kindLeaf}, list) }

// DecodeLeaf reads what EncodeLeaf wrote, and holds it to what the first page says of the leaf page with this place. Rejects: ErrForm, ErrKind, ErrOrder,
// ErrOverlap, ErrCount, ErrLength, ErrNumber, ErrFree.
func DecodeLeaf(data []byte, shape Shape, f *First, place int) ([]Record, error) {
	in := codec.NewReader(data)
	kind := in.U8()
	switch {
	case in.Err() != nil || kind > kindLeaf:
		return nil, ErrForm
	case kind != kindLeaf:
		return nil, ErrKind
	}
	list, err := readRecords(in, shape)
	if err == nil {
		err = f.Hold(list, place)
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Hold holds records, which ascend, to what the first page says of the leaf page with this place. Rejects: ErrOrder, ErrOverlap, ErrCount, ErrNumber, ErrFree.
func (f *First) Hold(list []Record, place int) error {
	u := &used{seen: map[uint64]bool{}, first: f}
	if err := u.takeAll(list); err != nil {
		return err
	}
	r, sum := &f.Pages[place], SumOf(list)
	switch {
	case sum.Entries != r.Entries || sum.Files != r.Files || sum.Stripes != r.Stripes || sum.Raw != r.Raw:
		return ErrCount
	case sum.First != r.First:
		return ErrOrder
	case place+1 < len(f.Pages) && list[len(list)-1].Path >= f.Pages[place+1].First:
		return ErrOverlap
	}
	return nil
}
