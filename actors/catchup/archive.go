package catchup

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Archive is the format of the file that Export writes and Import reads. Behind the mark of the format stand frames, each UInt32 length ‖ UInt32 CRC-32C ‖
// payload, both numbers big-endian:
//
//	the first      UInt chain id ‖ genesis hash(32)
//	then           an answer about the end of an epoch (03) for each epoch before the state's, an answer that names the state (05), and answers with its
//	               operations (07), the first with their foundation: as peers send them, their numbers counting from 0
//	the last       ff ‖ UInt frames before it
var Archive = archiveFormat()

func archiveFormat() *format.Kind {
	k := &format.Kind{Name: "snapshot", Files: []string{"of cowboyd snapshot export"}, Now: 1}
	k.Read = k.Unmarked
	return k
}

const (
	tagArchiveEnd = 0xff
	archiveHeader = 8
	// archiveFrameMax bounds a frame: a chunk with its proofs is the largest.
	archiveFrameMax = chunkBytes + operationMax + 1<<20
	// archiveSyncEvery is how many bytes of operations are imported between two syncs.
	archiveSyncEvery = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Errors of an import; a damaged or lying file is an *ArchiveError.
var (
	// ErrNotAhead reports a snapshot that is not above the chain that is there.
	ErrNotAhead = errors.New("the chain here is as far or further")
	// ErrNoSnapshot reports a chain that cannot be exported: it has no block with a finalization of its own near its end, or no validator registry.
	ErrNoSnapshot = errors.New("no final block near the chain's end has a certificate of its own")
)

// ArchiveError says what is wrong with a file, and where.
type ArchiveError struct {
	Frame  uint64 // counted from 0
	Offset int64  // of the frame
	Err    error
}

// Error implements error.
func (e *ArchiveError) Error() string {
	return fmt.Sprintf("frame %d at byte %d: %v", e.Frame, e.Offset, e.Err)
}

// Unwrap gives the cause.
func (e *ArchiveError) Unwrap() error { return e.Err }

// Snapshot tells of an exported or imported state.
type Snapshot struct {
	Height     unit.Height
	Epoch      uint64
	Operations uint64 // of the log
}

// Export writes the newest state that its own block's certificate proves, with all that proves it from the genesis on. tip is the chain's end and present the
// state there. tell is called with how far it is; it may be nil.
//
// Spec: commonware §5.7; WP §6.1.
func Export(w io.Writer, id store.Identity, from Source, tip unit.Height, present *state.Commit, tell func(done, all uint64)) (s Snapshot, err error) {
	a := newArchiveWriter(w)
	pivot, after, err := newest(from, tip, present)
	if err == nil && pivot == nil {
		err = ErrNoSnapshot
	}
	if err != nil {
		return s, err
	}
	calendar, err := params.LoadCalendar(after)
	if err != nil {
		return s, err
	}
	s = Snapshot{Height: after.Height(), Epoch: calendar.Epoch(after.Height())}
	_, err = a.to.Write(Archive.Mark(Archive.Now))
	a.err = err
	a.put(append(codec.AppendUint(nil, id.ChainID), id.Genesis[:]...))
	for epoch := range s.Epoch {
		x, err := from.EpochProof(epoch)
		if err != nil {
			return s, fmt.Errorf("the proof of the end of epoch %d: %w", epoch, err)
		}
		a.answer(&epochProofAnswer{id: a.count, top: s.Height, epochProof: x})
	}
	pivot.id = a.count
	a.answer(pivot)
	config := state.Config{}
	extent, err := config.VerifyTarget(after.Root(), pivot.target)
	if err != nil {
		return s, err
	}
	boundary := extent.Boundary()
	s.Operations = extent.Length - boundary
	for at := boundary; at < extent.Length && a.err == nil; {
		c, err := cut(after, &chunkRequest{a.count, extent.Length, at, chunkOperations, at == boundary})
		if err != nil {
			return s, err
		}
		list, err := config.SplitOperations(c.operations, chunkOperations)
		if err != nil {
			return s, err
		}
		if len(list) == 0 {
			return s, fmt.Errorf("operations from %d on: %w", at, state.ErrPruned)
		}
		a.answer(c)
		at += uint64(len(list))
		if tell != nil {
			tell(at-boundary, s.Operations)
		}
	}
	a.put(codec.AppendUint([]byte{tagArchiveEnd}, a.count))
	return s, errors.Join(a.err, a.to.Flush())
}

// archiveWriter writes frames until the first error.
type archiveWriter struct {
	to    *bufio.Writer
	count uint64
	err   error
}

func newArchiveWriter(w io.Writer) *archiveWriter {
	return &archiveWriter{to: bufio.NewWriterSize(w, 1<<20)}
}

func (a *archiveWriter) answer(r reply) { a.put(r.encode()) }

func (a *archiveWriter) put(payload []byte) {
	var head [archiveHeader]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(payload)))
	binary.BigEndian.PutUint32(head[4:], crc32.Checksum(payload, castagnoli))
	for _, part := range [][]byte{head[:], payload} {
		if a.err == nil {
			_, a.err = a.to.Write(part)
		}
	}
	a.count++
}

// archiveReader reads frames.
type archiveReader struct {
	from  *bufio.Reader
	count uint64
	at    int64 // of the next frame
	start int64 // of the one that was read last
}

// fail puts an error into the place of the frame that was read last.
func (a *archiveReader) fail(err error) error { return &ArchiveError{a.count - 1, a.start, err} }

// next gives the next frame.
func (a *archiveReader) next() ([]byte, error) {
	a.start = a.at
	a.count++
	var head [archiveHeader]byte
	if _, err := io.ReadFull(a.from, head[:]); err != nil {
		return nil, a.short(err)
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > archiveFrameMax {
		return nil, a.fail(fmt.Errorf("a frame of %d bytes; the file is damaged", n))
	}
	payload := make([]byte, n)
	if _, err := io.ReadFull(a.from, payload); err != nil {
		return nil, a.short(err)
	}
	if crc32.Checksum(payload, castagnoli) != binary.BigEndian.Uint32(head[4:]) {
		return nil, a.fail(errors.New("its checksum is another; the file is damaged"))
	}
	a.at += archiveHeader + int64(n)
	return payload, nil
}

func (a *archiveReader) short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return a.fail(errors.New("the file ends; it is not whole"))
	}
	return err
}

// identity reads the mark and the first frame.
func (a *archiveReader) identity(file string) (id store.Identity, err error) {
	mark := make([]byte, len(Archive.Mark(Archive.Now)))
	if _, err := io.ReadFull(a.from, mark); err != nil {
		a.count = 1
		return id, a.short(err)
	}
	v, ok := Archive.Marked(mark)
	if !ok {
		return id, &ArchiveError{0, 0, errors.New("it is no file of `cowboyd snapshot export`")}
	}
	if err := Archive.Check(file, v); err != nil {
		return id, err
	}
	a.at = int64(len(mark))
	first, err := a.next()
	if err != nil {
		return id, err
	}
	r := codec.NewReader(first)
	id.ChainID = r.Uint()
	r.Into(id.Genesis[:])
	if err := r.Finish(); err != nil {
		return id, a.fail(err)
	}
	return id, nil
}

// begin reads the mark and the first frame, which is to be of a chain.
func (a *archiveReader) begin(file string, id store.Identity) error {
	got, err := a.identity(file)
	if err != nil {
		return err
	}
	if got != id {
		return a.fail(fmt.Errorf("a state of chain %d with genesis %v, and this is chain %d with genesis %v", got.ChainID, got.Genesis, id.ChainID, id.Genesis))
	}
	return nil
}

// importing is an import under way.
type importing struct {
	*archiveReader
	ledger *ledger.Disk
	client *light.Client
	stage  *store.Stage
	pivot  *pivot
	at     uint64 // of the next operation
	loose  int    // bytes that are not synced
	tell   func(done, all uint64)
}

// Import reads a file that Export wrote into a ledger that nobody else uses, whose chain it takes the place of. All of it is verified, from what the
// ledger holds on: the certificates and the ends of the epochs by a light client, each operation against the certified root, and the root of the state that
// they make. Before that nothing is replaced; what was imported is kept over an interruption and the same file goes on there. certified judges certificates
// where they are not of BLS12-381; nil otherwise. name is the file's.
//
// Spec: commonware §5.7; WP §6.1.
func Import(r io.Reader, name string, id store.Identity, to *ledger.Disk, certified Certifier, tell func(done, all uint64)) (s Snapshot, err error) {
	i := importing{archiveReader: &archiveReader{from: bufio.NewReaderSize(r, 1<<20)}, ledger: to, tell: tell}
	if err := i.begin(name, id); err != nil {
		return s, err
	}
	calendar, err := params.LoadCalendar(to.State())
	if err != nil {
		return s, err
	}
	height := to.Header().Height
	if i.client, err = light.New(id.ChainID, to.State(), calendar.Epoch(height+1)); err != nil {
		return s, err
	}
	if certified != nil {
		i.client.JudgeBy(certified.Certified)
	}
	if i.stage, err = to.Stage(); err != nil {
		return s, err
	}
	defer func() {
		if i.stage != nil {
			err = errors.Join(err, i.stage.Close())
		}
	}()
	for ended := false; !ended; {
		payload, err := i.next()
		if err != nil {
			return s, err
		}
		if ended, err = i.take(payload, height); err != nil {
			return s, err
		}
	}
	s = Snapshot{i.pivot.extent.Height, i.pivot.block.Header.Epoch, i.pivot.extent.Length - i.pivot.extent.Boundary()}
	return s, i.adopt()
}

// take takes one frame; ended is true for the last.
func (i *importing) take(payload []byte, height unit.Height) (ended bool, err error) {
	r := codec.NewReader(payload)
	switch tag := r.U8(); tag {
	case tagEpochProofAnswer:
		a := readEpochProofAnswer(r)
		if err = r.Finish(); err == nil {
			err = i.cross(a.epochProof)
		}
	case tagPivotAnswer:
		a := readPivotAnswer(r)
		if err = r.Finish(); err == nil {
			err = i.aim(a, height)
		}
	case tagChunkAnswer:
		a := readChunkAnswer(r)
		if err = r.Finish(); err == nil {
			err = i.add(a)
		}
	case tagArchiveEnd:
		n := r.Uint()
		if err = r.Finish(); err == nil && (n != i.count-1 || i.pivot == nil || i.at != i.pivot.extent.Length) {
			err = errors.New("the file ends before its state does")
		}
		if _, more := i.from.ReadByte(); err == nil && more == nil {
			err = errors.New("something follows the end")
		}
		ended = true
	default:
		err = fmt.Errorf("a frame of an unknown kind, %d", tag)
	}
	var corrupt *store.CorruptError
	if err != nil && !errors.Is(err, ErrNotAhead) && !errors.As(err, &corrupt) {
		err = i.fail(err)
	}
	return ended, err
}

// cross takes the client over the end of an epoch; those it is past are skipped.
func (i *importing) cross(x *light.EpochProof) error {
	if x == nil || i.pivot != nil {
		return errors.New("the end of no epoch, or out of place")
	}
	if x.Header.Epoch < i.client.Epoch() {
		return nil
	}
	if err := i.client.Advance(x); err != nil {
		return err
	}
	return i.ledger.Keep(x)
}

// aim takes the state's name, and finds out how much of it is there already.
func (i *importing) aim(a *pivotAnswer, height unit.Height) (err error) {
	if i.pivot != nil || a.block == nil {
		return errors.New("no state, or a second one")
	}
	if i.pivot, err = judged(i.client, i.stage.Config(), a); err != nil {
		return err
	}
	e := i.pivot.extent
	if e.Height <= height {
		return fmt.Errorf("%w: block %d, and the file is of block %d", ErrNotAhead, height, e.Height)
	}
	boundary, length, begun := i.stage.Begun()
	if begun && (boundary != e.Boundary() || length > e.Length || i.stage.Sealed()) {
		if err := i.stage.Reset(); err != nil {
			return err
		}
	}
	i.at = e.Boundary()
	return nil
}

// add verifies a chunk, and writes down what of it is not there yet.
func (i *importing) add(a *chunkAnswer) error {
	if i.pivot == nil {
		return errors.New("operations of no state")
	}
	e := i.pivot.extent
	n, err := proven(i.stage.Config(), e, span{i.at, min(chunkOperations, e.Length-i.at)}, a, i.at == e.Boundary())
	if err == nil && n == 0 {
		err = errors.New("no operations")
	}
	if err != nil {
		return err
	}
	_, length, begun := i.stage.Begun()
	if !begun {
		if err := i.stage.Begin(e.Boundary(), a.foundation.Pinned); err != nil {
			return err
		}
		length = e.Boundary()
	}
	if length == i.at {
		if err := i.stage.Append(a.operations, n); err != nil {
			return err
		}
		i.loose += len(a.operations)
	} else if length < i.at+n { // a chunk that was cut otherwise
		return i.stage.Reset()
	}
	i.at += n
	if i.tell != nil {
		i.tell(i.at-e.Boundary(), e.Length-e.Boundary())
	}
	if i.loose < archiveSyncEvery {
		return nil
	}
	i.loose = 0
	return i.stage.Sync()
}

// adopt seals what was collected, makes the state of it, and puts it in the chain's place.
func (i *importing) adopt() error {
	err := i.stage.Seal(ledger.Sealing(i.pivot.block, []*sig.Certificate{i.pivot.finalization}, i.pivot.extent))
	err = errors.Join(err, i.stage.Close())
	i.stage = nil
	if err != nil {
		return err
	}
	loaded, err := i.ledger.Load()
	if err != nil {
		return err
	}
	if err := i.ledger.Adopt(loaded); err != nil {
		return errors.Join(err, loaded.Close())
	}
	return nil
}

// Describe reads a file that Export wrote to its end and says what it holds, if it is whole. What it proves is Import's to see.
func Describe(r io.Reader, name string) (id store.Identity, s Snapshot, err error) {
	a := &archiveReader{from: bufio.NewReaderSize(r, 1<<20)}
	if id, err = a.identity(name); err != nil {
		return id, s, err
	}
	for {
		payload, err := a.next()
		if err != nil {
			return id, s, err
		}
		r := codec.NewReader(payload)
		switch tag := r.U8(); tag {
		case tagPivotAnswer:
			p := readPivotAnswer(r)
			if err := r.Finish(); err != nil {
				return id, s, a.fail(err)
			}
			b, err := block.Decode(p.block)
			if err != nil {
				return id, s, a.fail(err)
			}
			extent, err := (state.Config{}).VerifyTarget(b.Header.StateRoot, p.target)
			if err != nil {
				return id, s, a.fail(err)
			}
			s = Snapshot{extent.Height, b.Header.Epoch, extent.Length - extent.Boundary()}
		case tagArchiveEnd:
			if n := r.Uint(); r.Finish() != nil || n != a.count-1 {
				return id, s, a.fail(errors.New("the file ends before its state does"))
			}
			return id, s, nil
		}
	}
}
