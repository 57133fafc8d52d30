package govern

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The topics of uploads.
const (
	TopicUploaded = "code.uploaded" // hash, UInt bytes, UInt first block in which it may be forgotten
	TopicLapsed   = "code.lapsed"   // hash
)

// Upload is a Python program that a system actor may be given.
type Upload struct {
	By     account.Address
	Until  unit.Height // first block in which it is forgotten, if no system actor has it
	Source []byte      // canonical
}

// Encode is the canonical encoding: the fields in their order.
// Spec: WP §2.5.
func (u *Upload) Encode() []byte {
	return codec.AppendBytes(codec.AppendUint(codec.AppendFixed(nil, u.By[:]), uint64(u.Until)), u.Source)
}

// uploadKey is where the program with a code hash is kept.
func uploadKey(hash digest.Hash) []byte { return append(recordKey(keyUpload), hash[:]...) }

// LoadUpload reads an uploaded program; ok is false where there is none.
func LoadUpload(r state.Reader, hash digest.Hash) (u Upload, ok bool, err error) {
	raw, ok, err := r.Lookup(uploadKey(hash))
	if err != nil || !ok {
		return u, false, err
	}
	return decodeUpload(raw)
}

func decodeUpload(raw []byte) (u Upload, ok bool, err error) {
	c := codec.NewReader(raw)
	c.Into(u.By[:])
	u.Until, u.Source = unit.Height(c.Uint()), c.Bytes(params.MaxCodeBytes)
	return u, true, c.Finish()
}

// Uploads lists the code hashes of the uploaded programs and gives the bytes of all.
func Uploads(r state.Reader) (list []digest.Hash, bytes uint64, err error) {
	prefix := recordKey(keyUpload)
	err = r.Scan(prefix, nil, 0, func(key, _ []byte) bool {
		list = append(list, digest.Hash(key[len(prefix):]))
		return true
	})
	if err == nil {
		bytes, err = number(r, keyUploads)
	}
	return list, bytes, err
}

// The rejects of uploads.
var (
	// ErrCode reports a program of no bytes, or of more than params.MaxCodeBytes.
	ErrCode = errors.New("govern: size of the program")
	// ErrFull reports a program for which there is no room.
	ErrFull = errors.New("govern: the uploaded programs take all the room there is")
)

// Fee is what an uploader burns for a program: the rent of its bytes for a year, in base units.
// Spec: WP §13 (rent_rate).
func Fee(c *params.RentConfig, bytes int) (unit.Amount, error) {
	n, err := unit.Amount(c.RatePerByteYear).Mul(uint64(bytes))
	return n, err
}

// Upload keeps a program, whose source is canonical and compiles, for a year, or a year longer if it is kept already, and gives its hash. Its fee is burned.
// Rejects: ErrCode, ErrFull, *account.ShortfallError.
// Spec: governance-staking B8 (code hash is that of uploaded code; at most 512 KiB), B10 (51).
func (h *Registry) Upload(by account.Address, source []byte, rent *params.RentConfig) (digest.Hash, error) {
	hash := account.CodeHash(source)
	if len(source) == 0 || len(source) > params.MaxCodeBytes {
		return hash, ErrCode
	}
	_, again, err := LoadUpload(h.State, hash)
	if err != nil {
		return hash, err
	}
	held, err := number(h.State, keyUploads)
	if err != nil {
		return hash, err
	}
	if !again {
		if held+uint64(len(source)) > params.MaxUploadBytes {
			return hash, ErrFull
		}
		setNumber(h.State, keyUploads, held+uint64(len(source)))
	}
	fee, err := Fee(rent, len(source))
	if err != nil {
		return hash, err
	}
	if err := account.Debit(h.State, by, fee); err != nil {
		return hash, err
	}
	if h.Burned, err = h.Burned.Add(fee); err != nil {
		return hash, err
	}
	u := Upload{By: by, Until: h.Height + params.BlocksPerYear, Source: source}
	h.State.Set(uploadKey(hash), u.Encode())
	h.due(u.Until, dueUpload, binary.BigEndian.Uint64(hash[:]))
	h.emit(TopicUploaded, codec.AppendUint(codec.AppendUint(codec.AppendFixed(nil, hash[:]), uint64(len(source))), uint64(u.Until)))
	return hash, nil
}

// alike bounds the programs whose hashes begin with the same eight bytes and that one step looks at. Nobody finds so many.
const alike = 8

// forget forgets the programs whose year is over among those whose hashes begin with a number. One that a system actor has is kept for a year more.
func (h *Registry) forget(begins uint64) error {
	prefix := binary.BigEndian.AppendUint64(recordKey(keyUpload), begins)
	type entry struct {
		hash digest.Hash
		Upload
	}
	var list []entry
	var bad error
	err := h.State.Scan(prefix, nil, alike, func(key, raw []byte) bool {
		u, _, err := decodeUpload(raw)
		if bad = err; err == nil && u.Until <= h.Height {
			list = append(list, entry{digest.Hash(key[len(key)-digest.Size:]), u})
		}
		return err == nil
	})
	if err = errors.Join(err, bad); err != nil {
		return err
	}
	all, err := LoadPointers(h.State)
	if err != nil {
		return err
	}
	held, err := number(h.State, keyUploads)
	if err != nil {
		return err
	}
	for _, e := range list {
		if all.uses(e.hash) {
			e.Until = h.Height + params.BlocksPerYear
			h.State.Set(uploadKey(e.hash), e.Encode())
			h.due(e.Until, dueUpload, begins)
			continue
		}
		h.State.Delete(uploadKey(e.hash))
		held -= uint64(len(e.Source))
		h.emit(TopicLapsed, append([]byte(nil), e.hash[:]...))
	}
	setNumber(h.State, keyUploads, held)
	return nil
}
