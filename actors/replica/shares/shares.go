package shares

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// ErrDamaged reports a file that is not what this validator wrote for this chain.
var ErrDamaged = errors.New("shares: file damaged, or of another chain or key")

// The files' names before their epochs.
const (
	shareName = "share-"
	dealsName = "deals-"
	nextName  = "next"
	goneName  = "gone-" // before the name of a file that is being erased

	chargesName = "charges"
)

// Store is a validator's shares and deals. Its methods may be called from any goroutine.
type Store struct {
	mu      sync.Mutex
	disk    disk.Disk
	seal    *seal
	shares  map[uint64]*bls.Share
	deals   map[uint64]*deals
	charges [][]byte
	broken  error // of a write; what is on the disk is unknown until it is opened again
}

// deals are those of one ceremony.
type deals struct {
	file disk.File
	size int64
	list []beacon.Deal
}

// Open reads the store of a voting key on a chain. Errors: one that wraps ErrDamaged; any other is the disk's.
func Open(d disk.Disk, chain digest.Hash, key *bls.PrivateKey) (*Store, error) {
	secret, err := Secret(chain, key)
	if err != nil {
		return nil, err
	}
	return OpenSealed(d, chain, secret)
}

// OpenSealed is Open for a process that has what Secret gives and not the key.
func OpenSealed(d disk.Disk, chain digest.Hash, secret []byte) (*Store, error) {
	sealing, err := newSeal(chain, secret)
	if err != nil {
		return nil, err
	}
	s := &Store{disk: d, seal: sealing, shares: map[uint64]*bls.Share{}, deals: map[uint64]*deals{}}
	names, err := d.List()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := s.read(name); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// epochOf reads the epoch in a file's name.
func epochOf(name, kind string) (uint64, bool) {
	digits, ok := strings.CutPrefix(name, kind)
	if !ok {
		return 0, false
	}
	epoch, err := strconv.ParseUint(digits, 10, 64)
	return epoch, err == nil
}

func nameOf(kind string, epoch uint64) string { return kind + strconv.FormatUint(epoch, 10) }

// read takes up a file and goes on with an erasure that was interrupted; a file of another name is nobody's business.
func (s *Store) read(name string) error {
	if strings.HasPrefix(name, goneName) {
		return s.wipe(name)
	}
	if name == chargesName {
		return s.readCharges()
	}
	if epoch, ok := epochOf(name, shareName); ok {
		return s.readShare(name, epoch)
	}
	if epoch, ok := epochOf(name, dealsName); ok {
		return s.readDeals(name, epoch)
	}
	return nil
}

func (s *Store) readShare(name string, epoch uint64) error {
	f, err := s.disk.Open(name)
	if err != nil {
		return err
	}
	frames, _, err := s.seal.frames(f, name)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if len(frames) != 1 {
		return fmt.Errorf("%w: %s", ErrDamaged, name)
	}
	r := codec.NewReader(frames[0])
	index, raw := r.Uint32(), r.Fixed(sig.BLSPrivateKeySize)
	if r.Finish() != nil {
		return fmt.Errorf("%w: %s", ErrDamaged, name)
	}
	key, err := bls.ParsePrivateKey(raw)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	s.shares[epoch] = &bls.Share{Index: index, Key: key}
	return nil
}

func (s *Store) readDeals(name string, epoch uint64) error {
	f, err := s.disk.Open(name)
	if err != nil {
		return err
	}
	d := &deals{file: f}
	s.deals[epoch] = d
	frames, size, err := s.seal.frames(f, name)
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	d.size = size
	for _, frame := range frames {
		deal, err := beacon.DecodeDeal(frame)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
		}
		d.list = append(d.list, deal)
	}
	return nil
}

// Share is the share of the key that holds from an epoch on; nil if there is none.
func (s *Store) Share(since uint64) *bls.Share {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shares[since]
}

// Put makes the share of the key that holds from an epoch on durable. What it replaces is gone. An error is the disk's.
func (s *Store) Put(since uint64, share bls.Share) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if had := s.shares[since]; s.broken != nil || had != nil && had.Index == share.Index && slices.Equal(had.Key.Bytes(), share.Key.Bytes()) {
		return s.broken
	}
	name := nameOf(shareName, since)
	err := s.replace(name, s.seal.frame(name, codec.AppendFixed(codec.AppendUint(nil, uint64(share.Index)), share.Key.Bytes())))
	if err == nil {
		s.shares[since] = &share
	}
	return s.fail(err)
}

// replace writes a file beside its place and puts it there.
func (s *Store) replace(name string, data []byte) error {
	return disk.ReplaceBytes(s.disk, name, nextName, data)
}

func (s *Store) fail(err error) error {
	if err != nil {
		s.broken = err
	}
	return err
}

func (s *Store) readCharges() error {
	f, err := s.disk.Open(chargesName)
	if err != nil {
		return err
	}
	s.charges, _, err = s.seal.frames(f, chargesName)
	return errors.Join(err, f.Close())
}

// Charges are what SetCharges made durable last. Read only.
func (s *Store) Charges() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.charges
}

// SetCharges makes a list of evidence durable, in place of the one before. An error is the disk's.
func (s *Store) SetCharges(list [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	var data []byte
	for _, raw := range list {
		data = append(data, s.seal.frame(chargesName, raw)...)
	}
	err := s.replace(chargesName, data)
	if err == nil {
		s.charges = list
	}
	return s.fail(err)
}

// Deals are the deals of the ceremony of an epoch. Read only.
func (s *Store) Deals(epoch uint64) []beacon.Deal {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.deals[epoch]; d != nil {
		return d.list[:len(d.list):len(d.list)]
	}
	return nil
}

// Keep makes a deal of the ceremony of an epoch durable. An error is the disk's.
// Spec: commonware §4.3 (2).
func (s *Store) Keep(epoch uint64, deal beacon.Deal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	name := nameOf(dealsName, epoch)
	d := s.deals[epoch]
	if d == nil {
		f, err := s.disk.Create(name)
		if err == nil {
			err = s.disk.Sync()
		}
		if err != nil {
			return s.fail(err)
		}
		d = &deals{file: f}
		s.deals[epoch] = d
	}
	frame := s.seal.frame(name, deal.Encode())
	_, err := d.file.WriteAt(frame, d.size)
	if err == nil {
		err = d.file.Sync()
	}
	if err == nil {
		d.size += int64(len(frame))
		d.list = append(d.list, deal)
	}
	return s.fail(err)
}

// Forget destroys the shares of keys that held from epochs before since on, and the deals of ceremonies of epochs before epoch. An error is the disk's.
// Spec: commonware §4.3 (who leaves holds nothing useful).
func (s *Store) Forget(since, epoch uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	names := []string{}
	for at := range s.shares { // order-free: sorted below
		if at < since {
			names = append(names, nameOf(shareName, at))
			delete(s.shares, at)
		}
	}
	for at, d := range s.deals { // order-free: sorted below
		if at < epoch {
			names = append(names, nameOf(dealsName, at))
			_ = d.file.Close()
			delete(s.deals, at)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		err := s.disk.Rename(name, goneName+name)
		if err == nil {
			err = s.disk.Sync()
		}
		if err == nil {
			err = s.wipe(goneName + name)
		}
		if err != nil {
			return s.fail(err)
		}
	}
	return nil
}

// wipe overwrites a file and removes it.
func (s *Store) wipe(name string) error {
	f, err := s.disk.Open(name)
	if err != nil {
		return err
	}
	size, err := f.Size()
	if err == nil {
		if _, err = f.WriteAt(make([]byte, size), 0); err == nil {
			err = f.Sync()
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := s.disk.Remove(name); err != nil {
		return err
	}
	return s.disk.Sync()
}

// Close releases the files.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, d := range s.deals { // order-free: only closes
		err = errors.Join(err, d.file.Close())
	}
	s.deals = map[uint64]*deals{}
	return err
}
