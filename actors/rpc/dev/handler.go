package dev

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/swaggest/swgui/v5emb"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
)

// maxBody bounds the body of a call other than a dump, in bytes.
const maxBody = 1 << 20

// maxSeconds bounds what one request moves the clock by: a century.
const maxSeconds = 100 * 365 * 86_400

// TryPath is where a browser shows the calls and tries them.
//
// Spec: node-rpc-cli §1.
const TryPath = "/swagger-ui/"

// calls answers one run of the node.
type calls struct {
	*Controls
	node *rpc.Node
}

// Handler puts the calls before a node's other ones.
func (c *Controls) Handler(node *rpc.Node, others http.Handler) http.Handler {
	s := &calls{c, node}
	mux := http.NewServeMux()
	mux.Handle("/", others)
	answers := map[string]func(*http.Request) (any, error){
		"get /dev": s.show, "post /dev/advance": s.move, "post /dev/mining": s.setMining,
		"post /dev/balance": s.balance, "post /dev/storage": s.storage, "post /dev/send": s.send,
		"post /dev/code":  s.code,
		"post /dev/panic": s.panic,
		"get /dev/runner": s.runners, "post /dev/runner": s.setRunner, "post /dev/runner/clear": s.clearRunner, "post /dev/runner/answer": s.answerJob,
		"post /dev/snapshot": s.snapshot, "post /dev/revert": s.revert, "delete /dev/snapshots/{name}": s.drop,
	}
	maps.Copy(answers, commanded{c.Fleet}.answers())
	streams := map[string]http.HandlerFunc{"get /dev/snapshots/{name}": s.dump, "put /dev/snapshots/{name}": s.load}
	for _, c := range documented() {
		key, pattern := c.Method+" "+c.Path, strings.ToUpper(c.Method)+" "+c.Path
		if answer := answers[key]; answer != nil {
			route(mux, pattern, answer)
		} else {
			mux.HandleFunc(pattern, guarded(streams[key]))
		}
	}
	document := rpc.Document(documented()...)
	mux.HandleFunc("GET "+rpc.DocumentPath, func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, document) })
	mux.Handle("GET "+TryPath, v5emb.New("Cowboy node", rpc.DocumentPath, TryPath))
	return mux
}

// documented are the calls, as the description of the interface lists them.
func documented() []rpc.Call {
	const tape = "application/x-tar"
	return append([]rpc.Call{
		{Method: "get", Path: "/dev", Summary: "the developer controls: time, snapshots, what will panic", Body: "", Reply: wire.Dev{}},
		{Method: "post", Path: "/dev/advance", Summary: "make blocks, or let time pass", Body: wire.DevAdvance{}, Reply: wire.Dev{}},
		{Method: "post", Path: "/dev/mining", Summary: "change when blocks are made", Body: wire.DevMining{}, Reply: wire.Dev{}},
		{Method: "post", Path: "/dev/balance", Summary: "set a balance", Body: wire.DevBalance{}, Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/storage", Summary: "write or remove a storage entry", Body: wire.DevStorage{}, Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/send", Summary: "send a message as any address", Body: wire.DevSend{}, Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/code", Summary: "give an actor the code of another one; its storage stays", Body: wire.DevCode{}, Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/panic", Summary: "have a subsystem panic at its next command", Body: wire.DevPanic{}, Reply: wire.Dev{}},
		{Method: "get", Path: "/dev/runner", Summary: "what the runners are scripted to answer, and the jobs that wait", Body: "", Reply: wire.DevRunners{}},
		{Method: "post", Path: "/dev/runner", Summary: "script what the runners answer from now on", Body: wire.DevRunner{}, Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/runner/clear", Summary: "remove the scripts of a scope and of what lies in it", Body: wire.DevScope{},
			Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/runner/answer", Summary: "answer a job that waits", Body: wire.DevAnswer{}, Reply: wire.Receipt{}},
		{Method: "post", Path: "/dev/snapshot", Summary: "keep the chain as it is under a name", Body: wire.DevSnapshot{}, Reply: wire.DevAccepted{}},
		{Method: "post", Path: "/dev/revert", Summary: "take the chain back to a snapshot", Body: wire.DevSnapshot{}, Reply: wire.DevAccepted{}},
		{Method: "delete", Path: "/dev/snapshots/{name}", Summary: "remove a snapshot", Body: "", Reply: wire.Dev{}},
		{Method: "get", Path: "/dev/snapshots/{name}", Summary: "a snapshot as an archive", Body: "", Reply: rpc.Media(tape)},
		{Method: "put", Path: "/dev/snapshots/{name}", Summary: "take an archive in as a snapshot", Body: tape, Reply: wire.Dev{}},
	}, fleetCalls()...)
}

// guarded refuses pages of other origins: what a browser shows must not reach these calls.
func guarded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" {
			fail(w, refuse(http.StatusForbidden, "developer controls do not answer pages; use `cowboy dev` or curl"))
			return
		}
		next(w, r)
	}
}

func route(mux *http.ServeMux, pattern string, answer func(*http.Request) (any, error)) {
	mux.HandleFunc(pattern, guarded(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		value, err := answer(r)
		if err != nil {
			fail(w, err)
			return
		}
		status := http.StatusOK
		if _, later := value.(wire.DevAccepted); later {
			status = http.StatusAccepted
		}
		write(w, status, value)
	}))
}

func refuse(status int, why string) *rpc.Refusal {
	code := 4000
	if status == http.StatusNotFound {
		code = 4004
	}
	return &rpc.Refusal{Status: status, Body: wire.NewError(code, why)}
}

func fail(w http.ResponseWriter, err error) {
	var refusal *rpc.Refusal
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &refusal):
	case errors.As(err, &tooLarge):
		refusal = &rpc.Refusal{Status: http.StatusRequestEntityTooLarge, Body: wire.NewError(4013, "")}
	case errors.Is(err, ErrSnapshot):
		refusal = refuse(http.StatusNotFound, err.Error()+"; `cowboy dev status` lists them")
	case errors.Is(err, ErrTaken):
		refusal = refuse(http.StatusConflict, err.Error())
	case errors.Is(err, ErrName), errors.Is(err, ErrDump):
		refusal = refuse(http.StatusBadRequest, err.Error())
	default:
		refusal = &rpc.Refusal{Status: http.StatusInternalServerError, Body: wire.NewError(1900, err.Error())}
	}
	write(w, refusal.Status, refusal.Body)
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value)
}

// body reads a request's JSON; a field nobody knows is a mistake.
func body(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows the JSON value")
		}
	}
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) {
		return err
	}
	return refuse(http.StatusBadRequest, "the body is not what the call takes: "+err.Error())
}

func address(text string) (account.Address, error) {
	addr, err := account.ReadAddress(text)
	if err != nil {
		return addr, refuse(http.StatusBadRequest, rpc.AddressFault(err))
	}
	return addr, nil
}

func octets(text string) ([]byte, error) {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "keys, values and payloads are hex digits")
	}
	return raw, nil
}

func (s *calls) show(*http.Request) (any, error) { return s.status(s.node), nil }

// move moves the clock, then makes blocks; time alone makes one, so that it is seen.
func (s *calls) move(r *http.Request) (any, error) {
	var q wire.DevAdvance
	if err := body(r, &q); err != nil {
		return nil, err
	}
	by := time.Duration(min(q.Seconds, maxSeconds)) * time.Second
	if q.TimestampMs > 0 {
		now := uint64(s.Clock.Now().UnixMilli())
		if q.TimestampMs < now || q.TimestampMs-now > maxSeconds*1_000 {
			return nil, refuse(http.StatusBadRequest, fmt.Sprintf("timestamp_ms is from %d, the time now, to a century later: time does not go back", now))
		}
		by += time.Duration(q.TimestampMs-now) * time.Millisecond
	}
	switch {
	case q.Blocks > MaxMine || q.Seconds > maxSeconds:
		return nil, refuse(http.StatusBadRequest, fmt.Sprintf("at most %d blocks and %d seconds at once", MaxMine, int64(maxSeconds)))
	case q.Blocks == 0 && by == 0:
		return nil, refuse(http.StatusBadRequest, "say how far: blocks, seconds or timestamp_ms")
	}
	if by > 0 {
		s.Clock.Jump(by)
	}
	if err := s.advance(r.Context(), s.node, max(q.Blocks, 1)); err != nil {
		return nil, err
	}
	return s.status(s.node), nil
}

func (s *calls) setMining(r *http.Request) (any, error) {
	var q wire.DevMining
	if err := body(r, &q); err != nil {
		return nil, err
	}
	var way Mining
	if err := way.Set(q.Mining); err != nil {
		return nil, refuse(http.StatusBadRequest, fmt.Sprintf("mining is %q: %v", q.Mining, err))
	}
	if q.IntervalMs > uint64(MaxInterval/time.Millisecond) {
		return nil, refuse(http.StatusBadRequest, fmt.Sprintf("interval_ms is at most %d: 30 days", MaxInterval/time.Millisecond))
	}
	s.Switch(way, time.Duration(q.IntervalMs)*time.Millisecond)
	return s.status(s.node), nil
}

func (s *calls) balance(r *http.Request) (any, error) {
	var q wire.DevBalance
	if err := body(r, &q); err != nil {
		return nil, err
	}
	addr, err := address(q.Address)
	if err != nil {
		return nil, err
	}
	return s.administer(r.Context(), s.node, develop.HandlerSetBalance, (&develop.SetBalance{Address: addr, Balance: unit.Amount(q.Balance)}).Encode())
}

func (s *calls) storage(r *http.Request) (any, error) {
	var q wire.DevStorage
	if err := body(r, &q); err != nil {
		return nil, err
	}
	d := develop.SetStorage{Remove: q.Value == nil}
	var err error
	if d.Actor, err = address(q.Actor); err != nil {
		return nil, err
	}
	if d.Key, err = octets(q.Key); err != nil {
		return nil, err
	}
	if q.Value != nil {
		if d.Value, err = octets(*q.Value); err != nil {
			return nil, err
		}
	}
	return s.administer(r.Context(), s.node, develop.HandlerSetStorage, d.Encode())
}

func (s *calls) send(r *http.Request) (any, error) {
	var q wire.DevSend
	if err := body(r, &q); err != nil {
		return nil, err
	}
	d := develop.Send{Handler: q.Handler}
	var err error
	if d.From, err = address(q.From); err != nil {
		return nil, err
	}
	if d.To, err = address(q.To); err != nil {
		return nil, err
	}
	if d.Payload, err = octets(q.Payload); err != nil {
		return nil, err
	}
	return s.administer(r.Context(), s.node, develop.HandlerSend, d.Encode())
}

func (s *calls) code(r *http.Request) (any, error) {
	var q wire.DevCode
	if err := body(r, &q); err != nil {
		return nil, err
	}
	var d develop.SetCode
	var err error
	if d.Actor, err = address(q.Actor); err != nil {
		return nil, err
	}
	if d.From, err = address(q.From); err != nil {
		return nil, err
	}
	return s.administer(r.Context(), s.node, develop.HandlerSetCode, d.Encode())
}

func (s *calls) panic(r *http.Request) (any, error) {
	var q wire.DevPanic
	if err := body(r, &q); err != nil {
		return nil, err
	}
	if known, ok := s.Panics.arm(s.node.Status(), q.Subsystem); !ok {
		return nil, refuse(http.StatusNotFound, fmt.Sprintf("there is no subsystem %q; %s", q.Subsystem, alike(q.Subsystem, known)))
	}
	return s.status(s.node), nil
}

func (s *calls) snapshot(r *http.Request) (any, error) {
	return s.task(r, "snapshot", func(name string) (Task, error) {
		if s.Snapshots.Find(name) == nil {
			return Task{}, ErrTaken
		}
		return Task{perform: func(s *Snapshots) error { return s.Save(name) }}, nil
	})
}

func (s *calls) revert(r *http.Request) (any, error) {
	return s.task(r, "revert", func(name string) (Task, error) {
		return Task{perform: func(s *Snapshots) error { return s.Restore(name) }, undo: (*Snapshots).Undo}, s.Snapshots.Find(name)
	})
}

// task reads the name of a snapshot and leaves what is to be done with it to the node's owner.
func (s *calls) task(r *http.Request, what string, of func(name string) (Task, error)) (any, error) {
	var q wire.DevSnapshot
	if err := body(r, &q); err != nil {
		return nil, err
	}
	if err := s.shelved(); err != nil {
		return nil, err
	}
	if !snapshotName.MatchString(q.Name) {
		return nil, ErrName
	}
	t, err := of(q.Name)
	if err != nil {
		return nil, err
	}
	t.Name = what + " " + q.Name
	s.mu.Lock()
	run := s.run + 1
	s.mu.Unlock()
	if !s.ask(t) {
		return nil, refuse(http.StatusConflict, "another snapshot or revert is under way")
	}
	return wire.DevAccepted{Run: run}, nil
}

func (s *calls) shelved() error {
	if s.Snapshots == nil {
		return refuse(http.StatusConflict, "this node keeps its chain in memory; start it with a data directory to have snapshots")
	}
	return nil
}

func (s *calls) drop(r *http.Request) (any, error) {
	if err := s.shelved(); err != nil {
		return nil, err
	}
	if err := s.Snapshots.Drop(r.PathValue("name")); err != nil {
		return nil, err
	}
	return s.status(s.node), nil
}

// dump writes a snapshot as a tar archive.
func (s *calls) dump(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	err := s.shelved()
	if err == nil {
		err = s.Snapshots.Find(name)
	}
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-tar")
	if err := s.Snapshots.Dump(name, w); err != nil {
		panic(http.ErrAbortHandler) // the reader sees that the archive is cut off
	}
}

// load takes a dump in as a snapshot.
func (s *calls) load(w http.ResponseWriter, r *http.Request) {
	err := s.shelved()
	if err == nil {
		err = s.Snapshots.Load(r.PathValue("name"), http.MaxBytesReader(w, r.Body, MaxDump))
	}
	if err != nil {
		fail(w, err)
		return
	}
	write(w, http.StatusOK, s.status(s.node))
}
