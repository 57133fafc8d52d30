package params

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// KeyVersion is the governance key of the number of parameter changes so far.
//
// Spec: governance-staking B9 (config_version).
const KeyVersion = "system:gov:config_version"

// TopicVersion is the topic of the event of every change. Its data is EventVersion's.
const TopicVersion = "ConfigVersionBumped"

// Change is one entry of the audit trail: the value a parameter group got.
type Change struct {
	Version uint64      // counts the changes of all groups, from 1
	Height  unit.Height // of the block; the value holds from the next one on
	By      account.Address
	Tx      digest.Hash
	Value   []byte // the group's encoding
}

// historyKey is where the change with a version number of the group under key is kept: the history key and 8 big-endian bytes.
func historyKey(key string, version uint64) []byte {
	return binary.BigEndian.AppendUint64(StateKey(KeyHistoryPrefix+key+":"), version)
}

// Version is the number of parameter changes so far. An error is a failing source or a number that does not decode.
func Version(from state.Reader) (uint64, error) {
	data, ok, err := from.Lookup(StateKey(KeyVersion))
	if err != nil || !ok {
		return 0, err
	}
	r := codec.NewReader(data)
	n := r.Uint()
	return n, r.Finish()
}

// Update replaces the group under key and writes the change, whose version it counts, to the audit trail. Blocks read the group from the next one on.
//
// Spec: WP §13.1; governance-staking B9 (audit trail under system:gov:param:history:<key>, config_version).
func Update(s state.Store, key string, c Change) (version uint64, err error) {
	before, err := Version(s)
	if err != nil {
		return 0, err
	}
	c.Version = before + 1
	s.Set(StateKey(key), c.Value)
	state.SetNumber(s, StateKey(KeyVersion), c.Version)
	out := codec.AppendUint(nil, uint64(c.Height))
	out = append(append(out, c.By[:]...), c.Tx[:]...)
	s.Set(historyKey(key, c.Version), codec.AppendBytes(out, c.Value))
	return c.Version, nil
}

// History calls fn with up to limit changes of the group under key, oldest first, those after a version, until it answers false.
//
// Spec: governance-staking B9.
func History(s state.Reader, key string, after uint64, limit int, fn func(Change) (more bool)) error {
	prefix := StateKey(KeyHistoryPrefix + key + ":")
	var bad error
	err := s.Scan(prefix, historyKey(key, after), limit, func(at, data []byte) bool {
		if len(at) != len(prefix)+8 { // of a key that this one begins
			return true
		}
		c := Change{Version: binary.BigEndian.Uint64(at[len(prefix):])}
		r := codec.NewReader(data)
		c.Height = unit.Height(r.Uint())
		r.Into(c.By[:])
		r.Into(c.Tx[:])
		c.Value = r.Bytes(len(data))
		if bad = r.Finish(); bad != nil {
			return false
		}
		return fn(c)
	})
	if err == nil {
		err = bad
	}
	return err
}

// EventVersion is the data of TopicVersion: version, governance key.
func EventVersion(version uint64, key string) []byte {
	return codec.AppendBytes(codec.AppendUint(nil, version), []byte(key))
}
