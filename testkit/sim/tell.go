package sim

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Tell plays a plan and writes everything that happens, one line each: the seconds since the start, the machine, the subsystem, what it handles.
func Tell(p Plan, out io.Writer) (*Result, error) {
	w, err := NewWorld(p)
	if err != nil {
		return nil, err
	}
	w.listener = func(line string) { fmt.Fprintf(out, "%8.4f %s\n", w.since().Seconds(), line) }
	return w.play(), nil
}

func (w *World) tell(format string, args ...any) {
	if w.listener != nil {
		w.listener(fmt.Sprintf(format, args...))
	}
}

// seen tells every command before it is handled, if anybody listens.
func (l *life) seen() func(*supervision.Inbox, any) {
	w := l.m.w
	if w.listener == nil {
		return nil
	}
	return func(in *supervision.Inbox, message any) {
		if message != nil {
			w.tell("%s %s <- %s", l.m.name, l.m.pilot.lane(in).name, w.tellCommand(message))
		}
	}
}

// tellCommand names a command and its small fields.
func (w *World) tellCommand(message any) string {
	v := reflect.Indirect(reflect.ValueOf(message))
	name := strings.TrimPrefix(fmt.Sprintf("%T", message), "*")
	if _, after, qualified := strings.Cut(name, "."); qualified {
		name = after
	}
	if v.Kind() != reflect.Struct {
		return name
	}
	line := name
	for i := range v.NumField() {
		if text := w.tellField(v.Field(i)); text != "" {
			line += fmt.Sprintf(" %s %s", strings.ToLower(v.Type().Field(i).Name), text)
		}
	}
	return line
}

// tellField gives a number, a name, a machine, a hash by its first bytes, or a frame; nothing for all else.
func (w *World) tellField(v reflect.Value) string {
	switch {
	case v.CanInt():
		return fmt.Sprint(v.Int())
	case v.CanUint():
		return fmt.Sprint(v.Uint())
	case v.Kind() == reflect.Bool, v.Kind() == reflect.String:
		return fmt.Sprint(v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return fmt.Sprintf("(%s)", tellFrame(link.Consensus, v.Bytes()))
	case v.Type() == reflect.TypeFor[link.Peer]():
		for _, m := range w.machines {
			if v.Equal(reflect.ValueOf(m.peer)) {
				return m.name
			}
		}
	case v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.Uint8 && v.Len() >= 4:
		short := make([]byte, 4)
		for i := range short {
			short[i] = byte(v.Index(i).Uint())
		}
		return hex.EncodeToString(short)
	}
	return ""
}

// tellFrame says what a frame is.
func tellFrame(c link.Channel, frame []byte) string {
	if c != link.Consensus && c != link.Blocks {
		return fmt.Sprintf("%v, %d bytes", c, len(frame))
	}
	f, err := replica.DecodePeerMessage(bytes.Clone(frame))
	if err != nil {
		return fmt.Sprintf("%d bytes that are no frame of agreement", len(frame))
	}
	switch x := f.(type) {
	case *replica.Agreement:
		return tellMessage(x.Message)
	case *replica.BlockResponse:
		if b, err := block.Decode(x.Block); err == nil {
			return fmt.Sprintf("have block %d", b.Header.Height)
		}
	case *replica.BlockRequest:
		return fmt.Sprintf("want block %v", x.Hash)
	case *replica.Introduction:
		return fmt.Sprintf("introduction as validator %d", x.Rank)
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", f), "*replica."))
}

// tellMessage says what a message of agreement is.
func tellMessage(m simplex.Message) string {
	switch x := m.(type) {
	case *simplex.Vote:
		return fmt.Sprintf("%v from %d of block %d in view %d", tellKind(x.Kind), x.Signer, x.Subject.Height, x.Subject.Round.View)
	case *simplex.Propose:
		return fmt.Sprintf("proposal from %d of block %d in view %d", x.Vote.Signer, x.Vote.Subject.Height, x.Vote.Subject.Round.View)
	case *simplex.NewView:
		return fmt.Sprintf("new view from %d after view %d", x.Signer, x.Round.View)
	case *simplex.Certificate:
		return fmt.Sprintf("certificate: %v of block %d in view %d", tellKind(x.Kind), x.Subject.Height, x.Subject.Round.View)
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", m), "*simplex."))
}

func tellKind(k sig.CertificateKind) string { return strings.ToLower(fmt.Sprint(k)) }
