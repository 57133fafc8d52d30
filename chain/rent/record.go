package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Record is what is known of an actor's rent beyond its account. An empty one is not kept.
type Record struct {
	Debt unit.Amount // missed rent, without the surcharge
	Paid unit.Amount // of the debt and its surcharge
	Rate unit.Amount // of the last missed epoch, for those who check

	PaidThrough  uint64 // the last prepaid epoch
	PrepaidBytes uint64 // billable bytes the prepayment covers

	Bond   unit.Amount     // locked for the extended quota
	Bonder account.Address // who gets it back

	Dormant *Dormancy // nil: the actor runs
}

// Dormancy is what is kept of an evicted actor's storage.
type Dormancy struct {
	Epoch   uint64      // in which the actor was evicted
	Height  unit.Height // of the block in which it was: the state before that block has all of the storage
	Pruned  bool        // the storage is gone, and what follows is set
	Root    digest.Hash // the commitment
	Entries uint64
	Bytes   uint64 // of keys and values as the quota counts them

	// Restoration under way: begun in epoch Since, which is 0 where none is, with so many of the entries given back.
	Since    uint64
	Restored uint64
}

func (c *Record) empty() bool {
	return *c == Record{}
}

// Names of the records.
const (
	nameClock  = "rent.clock"
	nameActor  = "rent.actor/"
	nameRecord = "rent.record/"
	nameEvict  = "rent.evict/"
	nameBonds  = "rent.bonds"
)

func home() account.Address { return account.System(account.Governance) }

func clockKey() []byte { return account.KeyString(account.KindRecord, home(), nameClock) }

func bondsKey() []byte { return account.KeyString(account.KindRecord, home(), nameBonds) }

func under(name string, addr account.Address) []byte {
	return append(account.KeyString(account.KindRecord, home(), name), addr[:]...)
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	claim := func(holds, suffix string, exact bool) account.Claim {
		return account.RecordClaim("rent", home(), suffix, holds, exact)
	}
	return []account.Claim{
		claim("clock of rent epochs", nameClock, true), claim("list of actors", nameActor, false), claim("rent of an actor", nameRecord, false),
		claim("eviction under way", nameEvict, false), claim("sum of the bonds", nameBonds, true),
	}
}

// Enlist enters a new actor into the list the sweep walks. Its account says in which epoch it was made.
func Enlist(s state.Store, addr account.Address) { s.Set(under(nameActor, addr), []byte{}) }

// Listed calls fn with the actors of the list that come after one, in the order of addresses, until fn answers false.
func Listed(r state.Reader, after account.Address, limit int, fn func(account.Address) bool) error {
	prefix := account.KeyString(account.KindRecord, home(), nameActor)
	var from []byte
	if !after.IsZero() {
		from = under(nameActor, after)
	}
	var bad error
	err := r.Scan(prefix, from, limit, func(key, _ []byte) bool {
		if len(key) != len(prefix)+account.AddressSize {
			bad = codec.ErrInvalid
			return false
		}
		return fn(account.Address(key[len(prefix):]))
	})
	if err == nil {
		err = bad
	}
	return err
}

// Owing counts the actors that owe rent, and those that were evicted and not restored, among so many records in the order of addresses.
func Owing(r state.Reader, limit int) (debtors, dormant int, err error) {
	var bad error
	err = r.Scan(account.KeyString(account.KindRecord, home(), nameRecord), nil, limit, func(_, value []byte) bool {
		var c Record
		if c, bad = decodeRecord(value); bad != nil {
			return false
		}
		if c.Debt > 0 {
			debtors++
		}
		if c.Dormant != nil {
			dormant++
		}
		return true
	})
	if err == nil {
		err = bad
	}
	return debtors, dormant, err
}

// Load reads an actor's record; one that is not there is empty.
func Load(r state.Reader, addr account.Address) (Record, error) {
	data, ok, err := r.Lookup(under(nameRecord, addr))
	if err != nil || !ok {
		return Record{}, err
	}
	return decodeRecord(data)
}

func (c *Record) save(s state.Store, addr account.Address) {
	key := under(nameRecord, addr)
	if c.empty() {
		s.Delete(key)
		return
	}
	s.Set(key, c.encode())
}

func (c *Record) encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, uint64(c.Debt)), uint64(c.Paid)), uint64(c.Rate))
	dst = codec.AppendUint(codec.AppendUint(dst, c.PaidThrough), c.PrepaidBytes)
	dst = codec.AppendFixed(codec.AppendUint(dst, uint64(c.Bond)), c.Bonder[:])
	dst = codec.AppendBool(dst, c.Dormant != nil)
	if d := c.Dormant; d != nil {
		dst = codec.AppendBool(codec.AppendUint(codec.AppendUint(dst, d.Epoch), uint64(d.Height)), d.Pruned)
		dst = codec.AppendUint(codec.AppendUint(codec.AppendFixed(dst, d.Root[:]), d.Entries), d.Bytes)
		dst = codec.AppendUint(codec.AppendUint(dst, d.Since), d.Restored)
	}
	return dst
}

func decodeRecord(data []byte) (Record, error) {
	r := codec.NewReader(data)
	c := Record{Debt: unit.Amount(r.Uint()), Paid: unit.Amount(r.Uint()), Rate: unit.Amount(r.Uint()), PaidThrough: r.Uint(), PrepaidBytes: r.Uint()}
	c.Bond = unit.Amount(r.Uint())
	r.Into(c.Bonder[:])
	if r.Bool() {
		d := &Dormancy{Epoch: r.Uint(), Height: unit.Height(r.Uint()), Pruned: r.Bool()}
		r.Into(d.Root[:])
		d.Entries, d.Bytes, d.Since, d.Restored = r.Uint(), r.Uint(), r.Uint(), r.Uint()
		c.Dormant = d
	}
	if r.Err() == nil && c.empty() {
		r.Fail(codec.ErrInvalid, 0)
	}
	return c, r.Finish()
}

// Bonds is what is locked in bonds, in base units.
func Bonds(r state.Reader) (unit.Amount, error) {
	data, ok, err := r.Lookup(bondsKey())
	if err != nil || !ok {
		return 0, err
	}
	in := codec.NewReader(data)
	sum := unit.Amount(in.Uint())
	return sum, in.Finish()
}

// lock adds to the sum of the bonds, and releases from it.
func lock(s state.Store, add, release unit.Amount) error {
	sum, err := Bonds(s)
	if err == nil {
		sum, err = sum.Add(add)
	}
	if err == nil {
		sum, err = sum.Sub(release)
	}
	if err != nil {
		return err
	}
	state.SetCount(s, bondsKey(), uint64(sum))
	return nil
}
