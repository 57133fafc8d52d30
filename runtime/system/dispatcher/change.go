package dispatcher

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Name is what a job that waits is called: its cid, or job- and its number when it has none, or one that looks like a flag of a command.
func Name(j *Job, number uint64) string {
	if j.CID == "" || j.CID[0] == '-' {
		return numbered(number)
	}
	return j.CID
}

func numbered(number uint64) string { return fmt.Sprintf("job-%d", number) }

// Set adds a script above those there are; one for all jobs that come removes those it leaves no job to. It gives the script's number. Errors: ErrScript,
// ErrScripts.
func Set(s state.Store, script Script) (uint64, error) {
	if err := script.Check(); err != nil {
		return 0, err
	}
	c, err := load(s)
	if err != nil {
		return 0, err
	}
	if script.Jobs == 0 {
		if _, err := c.clear(s, &script.Scope); err != nil {
			return 0, err
		}
	}
	if c.Scripts >= MaxScripts {
		return 0, ErrScripts
	}
	number := c.Set
	s.Set(entryKey(nameScript, number), script.Append(nil))
	c.Set++
	c.Scripts++
	c.save(s)
	return number, nil
}

// Clear removes the scripts of a scope and of what lies in it, and gives how many there were.
func Clear(s state.Store, scope *Scope) (uint64, error) {
	c, err := load(s)
	if err != nil {
		return 0, err
	}
	n, err := c.clear(s, scope)
	if n > 0 {
		c.save(s)
	}
	return n, err
}

func (c *counters) clear(s state.Store, scope *Scope) (n uint64, err error) {
	list, err := Scripts(s)
	if err != nil {
		return 0, err
	}
	for i := range list {
		if scope.covers(&list[i].Scope) {
			c.removeScript(s, &list[i])
			n++
		}
	}
	return n, nil
}

func (c *counters) removeScript(s state.Store, one *Script) {
	s.Delete(entryKey(nameScript, one.Number))
	c.Scripts -= min(c.Scripts, 1)
}

// ByHand is the answer to a job that waits.
type ByHand struct {
	Actor *account.Address // whose job; nil: whoever's
	Job   string           // its cid, or job- and its number
	Reply Reply
}

// Append appends the canonical encoding.
func (h *ByHand) Append(dst []byte) []byte {
	return h.Reply.Append(codec.AppendBytes(appendActor(dst, h.Actor), []byte(h.Job)))
}

// ReadByHand reads what Append wrote; the reader keeps the codec error of other bytes.
func ReadByHand(r *codec.Reader) ByHand {
	h := ByHand{Actor: readActor(r), Job: string(r.Bytes(MaxCID))}
	h.Reply = ReadReply(r)
	return h
}

// Answer answers the oldest job that waits by a name. What it sends is sent at the end of the block, or as much later as the reply says. Errors:
// ErrScript, ErrNoJob, ErrReply, ErrFull.
//
// Spec: sdk §9.6; runner-marketplace §5.
func (h *ByHand) Answer(s state.Store, b *drain.Block) error {
	if err := h.Reply.Check(); err != nil {
		return err
	}
	w, job, err := h.find(s)
	if err != nil {
		return err
	}
	a, err := h.Reply.answer(int(b.Params.Committee.Threshold))
	if err != nil {
		return err
	}
	l := Late{Due: b.Height + a.Delay, Origin: w.Origin, Actor: w.Actor, Copies: uint32(a.Copies)}
	if !a.Lost {
		if l.Reply, err = job.reply(a); err != nil {
			return err
		}
	}
	c, err := load(s)
	if err != nil {
		return err
	}
	c.dropWaiting(s, w)
	told, err := notice(s, w)
	if err != nil {
		return err
	}
	switch {
	case told == nil:
		err = c.keepLate(s, &l)
	case !a.Lost && l.Due <= told.Due: // else the notice stands: nobody will have answered in time
		c.dropLate(s, told, len(told.encode()))
		err = c.keepLate(s, &l)
	}
	if err == nil {
		c.save(s)
	}
	return err
}

func (h *ByHand) find(s state.Store) (*Waiting, *Job, error) {
	waits, err := Waits(s)
	if err != nil {
		return nil, nil, err
	}
	for i := range waits {
		job, err := waits[i].Job()
		if err != nil {
			return nil, nil, err
		}
		if (h.Job == job.CID || h.Job == numbered(waits[i].Number)) && (h.Actor == nil || *h.Actor == job.Actor) {
			return &waits[i], job, nil
		}
	}
	return nil, nil, fmt.Errorf("%w: %q", ErrNoJob, h.Job)
}
