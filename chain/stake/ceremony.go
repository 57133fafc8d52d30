package stake

import (
	"cmp"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Ceremony is the resharing that is under way in a state: the present members deal, the list of the next epoch plays. ok is false before the epoch's
// midpoint, and when the list is empty.
// Spec: commonware §4.3.
func Ceremony(r state.Reader, n sig.Namespace, epoch uint64) (info *beacon.Info, players []Member, ok bool, err error) {
	raw, ok, err := r.Lookup(recordKey(keyNext))
	if err != nil || !ok {
		return nil, nil, false, err
	}
	if players, err = DecodeMembers(raw); err != nil {
		return nil, nil, false, err
	}
	set, err := SetAt(r, epoch)
	if err != nil {
		return nil, nil, false, err
	}
	info, err = describe(n, epoch+1, set, players)
	return info, players, err == nil, err
}

func pointsOf(members []Member) (keys []*bls.PublicKey, err error) {
	keys = make([]*bls.PublicKey, len(members))
	for i, m := range members {
		if keys[i], err = bls.ParsePublicKey(m.Key); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// Deal takes a dealer log of the resharing: from the account of a present member its own, from any other account one with the dealer's signature, so that the
// account that owns the stake need not be where the voting key is. Rejects: ErrCeremony, and LogError with a *codec.Error or an error of
// beacon.Info.Check and Vouched.
// Spec: commonware §4.3 (dealer logs on chain, signed by the dealer).
func (g *Registry) Deal(from account.Address, data []byte) error {
	info, _, ok, err := Ceremony(g.State, g.Chain, g.epoch())
	if err != nil || !ok {
		return cmp.Or(err, ErrCeremony)
	}
	members, err := current(g.State, g.epoch())
	if err != nil {
		return err
	}
	log, signature, err := beacon.DecodePosted(data)
	if err != nil {
		return &LogError{err}
	}
	if rank, ok := rankOf(members, from); signature == nil && (!ok || log.Dealer != rank) {
		return ErrCeremony
	}
	if _, had, err := g.State.Lookup(logKey(log.Dealer)); err != nil || had {
		return cmp.Or(err, ErrCeremony)
	}
	if signature != nil {
		if err := info.Vouched(log, *signature); err != nil {
			return &LogError{err}
		}
	}
	if err := info.Check(log); err != nil {
		return &LogError{err}
	}
	g.State.Set(logKey(log.Dealer), log.Encode())
	return nil
}

// LogError is a dealer log that proves nothing: a reject. It is ErrLog.
type LogError struct{ Reason error }

// Error implements error.
func (e *LogError) Error() string { return "stake: dealer log: " + e.Reason.Error() }

// Is reports whether target is ErrLog.
func (e *LogError) Is(target error) bool { return target == ErrLog }

// Unwrap gives the reason: a *codec.Error, or one of packages beacon and bls.
func (e *LogError) Unwrap() error { return e.Reason }

// Concluded is the resharing that made an epoch's key, and the dealer logs it used: what a player derives its share from. A state holds the logs from the
// epoch's beginning to its midpoint. ok is false where the key was carried forward, and after the midpoint.
// Spec: commonware §4.3 (4).
func Concluded(r state.Reader, n sig.Namespace, epoch uint64) (info *beacon.Info, logs []*beacon.Log, ok bool, err error) {
	rec, err := loadEpoch(r, epoch)
	if err != nil || epoch == 0 || rec.Sharing != epoch {
		return nil, nil, false, err
	}
	if info, err = between(r, n, epoch); err != nil {
		return nil, nil, false, err
	}
	if logs, err = firstLogs(r, info.Required()); err != nil || len(logs) < info.Required() {
		return nil, nil, false, err
	}
	return info, logs, true, nil
}

// between is the ceremony from the set before an epoch to its own.
func between(r state.Reader, n sig.Namespace, epoch uint64) (*beacon.Info, error) {
	former, err := SetAt(r, epoch-1)
	if err != nil {
		return nil, err
	}
	players, err := current(r, epoch)
	if err != nil {
		return nil, err
	}
	return describe(n, epoch, former, players)
}

// describe is the ceremony in which a set hands the key to the players.
func describe(n sig.Namespace, epoch uint64, dealing *Set, players []Member) (*beacon.Info, error) {
	sharing, err := bls.DecodeSharing(dealing.Sharing)
	if err != nil {
		return nil, err
	}
	dealers, err := pointsOf(dealing.Members)
	if err != nil {
		return nil, err
	}
	keys, err := pointsOf(players)
	if err != nil {
		return nil, err
	}
	return beacon.NewInfo(n, epoch, sharing, dealers, keys)
}

// Logs are the dealer logs a state holds, by ascending rank.
func Logs(r state.Reader) (logs []*beacon.Log, err error) { return firstLogs(r, 0) }

// firstLogs are so many of the logs; zero: all.
func firstLogs(r state.Reader, limit int) (logs []*beacon.Log, err error) {
	var bad error
	err = r.Scan(recordKey(keyLog), nil, limit, func(_, value []byte) bool {
		var l *beacon.Log
		if l, bad = beacon.DecodeLog(value); bad == nil {
			logs = append(logs, l)
		}
		return bad == nil
	})
	return logs, cmp.Or(err, bad)
}

// successor is the next epoch's set and shared key if the resharing is complete; ok is false if both are carried forward. The list is removed; the logs
// stay for the players until the next one closes.
// Spec: commonware §4.3 (4; a failed ceremony carries the previous output and participants forward).
func (g *Registry) successor() (members []Member, sharing []byte, ok bool, err error) {
	info, players, listed, err := Ceremony(g.State, g.Chain, g.epoch())
	if err != nil || !listed {
		return nil, nil, false, err
	}
	logs, err := firstLogs(g.State, info.Required()) // a ceremony uses no more
	if err != nil {
		return nil, nil, false, err
	}
	g.State.Delete(recordKey(keyNext))
	outcome, err := info.Finish(logs)
	switch {
	case errors.Is(err, beacon.ErrFailed) || errors.Is(err, bls.ErrSharing):
		return nil, nil, false, nil
	case err != nil:
		return nil, nil, false, err
	}
	return players, outcome.Sharing.Append(nil), true, nil
}

// clear removes every entry under a prefix.
func (g *Registry) clear(prefix []byte) error {
	var keys [][]byte
	err := g.State.Scan(prefix, nil, 0, func(key, _ []byte) bool {
		keys = append(keys, append([]byte(nil), key...))
		return true
	})
	if err != nil {
		return err
	}
	for _, key := range keys {
		g.State.Delete(key)
	}
	return nil
}
