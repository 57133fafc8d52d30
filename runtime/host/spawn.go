package host

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// TopicSpawned announces a child: its data are the addresses of parent and child.
const TopicSpawned = "ActorSpawned"

// childRequest is a child an actor asks for.
type childRequest struct {
	source, salt []byte
	manifest     []byte // nil: everything inheritable
	handler      string // "" calls none
	payload      []byte
}

// childInit is what the invocation of a child's init handler begins with.
type childInit struct {
	code   *Code
	before mark // all of the child is undone if the handler fails
}

// spawn creates an actor whose creator is the executing one, and calls its init handler under what the parent has left. The child holds the parent's
// inheritable entitlements or a part of them, never more; without a manifest of its own nobody spawns.
//
// A deployment's cycles and the bytes of code, calldata and manifest in cells are paid before any work, and the bytes of the source in cycles,
// since compiling it is in proportion to them.
//
// Spec: ENT §7, §9.1 (exec.spawn), §9.12 (max_children); WP §1.2, §15; sdk §3.8, §19.1.
func (h *Host) spawn(f *Invocation, m *object.Machine, meter *object.Meter, o childRequest) (account.Address, error) {
	var none account.Address
	w := f.work
	if err := f.mutates("spawn_actor"); err != nil {
		return none, err
	}
	manifest, err := f.childManifest(o.manifest)
	if err != nil {
		return none, err
	}
	if len(o.source) > params.MaxCodeBytes {
		return none, raise(Quota, "code of %d bytes; at most %d are allowed", len(o.source), params.MaxCodeBytes)
	}
	size := len(o.source) + len(o.handler) + len(o.payload) + len(manifest)
	if err := f.chargeFor(f.work.deploys()+unit.Cycles(f.work.compiling(o.source)), size, f.costs().CellsPerByteCalldata); err != nil {
		return none, err
	}
	source, err := pvm.CanonicalSource(o.source)
	if err != nil {
		return none, raise(InvalidArgument, "%v", err)
	}
	salt, err := account.PadSalt(o.salt)
	if err != nil {
		return none, raise(InvalidArgument, "%v", err)
	}
	hash := account.CodeHash(source)
	code, err := h.programs.compile(hash, source)
	if err != nil {
		return none, raise(InvalidArgument, "%v", err)
	}
	if err := f.charge(h.programs.ready(code, meter.Left()), 0); err != nil {
		return none, err
	}
	before := w.mark()
	child := account.DeriveActor(f.self, salt, hash)
	again, err := w.place(child, newActor{creator: f.self, source: source, hash: hash, manifest: manifest})
	if err != nil || again {
		return child, err
	}
	if err := f.countChild(); err != nil {
		w.revert(before)
		return none, err
	}
	w.Events = append(w.Events, block.Event{
		Actor: account.System(account.Entitlements), Topic: []byte(TopicSpawned), Data: append(append([]byte(nil), f.self[:]...), child[:]...),
	})
	if o.handler == "" && !code.Form.Routes {
		return child, nil
	}
	_, err = h.call(f, m, meter, nested{
		target: child, method: o.handler, args: o.payload, cycles: meter.Left(), child: &childInit{code: code, before: before},
	})
	return child, err
}

// childManifest is the manifest of a child: the one asked for if it is within the parent's inheritable entitlements, all of these if none is.
//
// Spec: ENT §7 (child entitlements within the parent's inheritable ones).
func (f *Invocation) childManifest(raw []byte) ([]byte, error) {
	held, err := f.manifest(f.self)
	if err != nil {
		return nil, err
	}
	if held == nil {
		return nil, raise(NoEntitlement, "spawn_actor needs the entitlement %s, and the actor has no manifest", entitle.Spawn)
	}
	if _, err := f.require(entitle.Spawn, "spawn_actor"); err != nil {
		return nil, err
	}
	inheritable := held.Inheritance()
	if raw == nil {
		return inheritable.Encode(), nil
	}
	if err := f.chargeCodec(len(raw)); err != nil {
		return nil, err
	}
	m, err := f.work.declared(raw)
	if err != nil {
		return nil, err
	}
	for _, g := range m.Grants {
		if !entitle.Inheritable(g.ID) {
			return nil, raise(NoEntitlement, "%s is not inheritable", g.ID)
		}
	}
	sets, err := f.domainSets(m.NamesSet() || inheritable.NamesSet())
	if err != nil {
		return nil, err
	}
	if !m.Within(inheritable, sets) {
		return nil, raise(NoEntitlement, "the child's manifest asks for more than its parent may pass on")
	}
	return m.Encode(), nil
}

// countChild refuses the child that is one too many in the life of the actor.
//
// Spec: ENT §9.1, §9.12 (max_children).
func (f *Invocation) countChild() error {
	g, err := f.require(entitle.Spawn, "spawn_actor")
	if err != nil {
		return err
	}
	raw, found, err := f.work.overlay.Lookup(childrenKey(f.self))
	if err != nil {
		return err
	}
	var children uint64
	if found && len(raw) == 8 {
		children = binary.BigEndian.Uint64(raw)
	}
	if most, limited := g.Number("max_children"); limited && children >= most {
		return raise(EntitlementQuota, "%s: more than %d children", g.ID, most)
	}
	f.work.overlay.Set(childrenKey(f.self), binary.BigEndian.AppendUint64(nil, children+1))
	return nil
}

func spawnActor(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	var o childRequest
	var e *object.Exception
	if o.source, e = octets(m, a.Arg(0), "code"); e != nil {
		return object.Value{}, e
	}
	if given(a.Arg(1)) {
		if o.salt, e = octets(m, a.Arg(1), "salt"); e != nil {
			return object.Value{}, e
		}
	}
	if o.manifest, e = f.manifestArgument(m, a.Arg(2), "manifest"); e != nil {
		return object.Value{}, e
	}
	if given(a.Arg(3)) {
		if o.handler, e = text(m, a.Arg(3), "init_handler"); e != nil {
			return object.Value{}, e
		}
	}
	if given(a.Arg(4)) {
		if o.payload, e = octets(m, a.Arg(4), "init_payload"); e != nil {
			return object.Value{}, e
		}
	}
	child, err := f.spawn(o)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return addressBytes(m, child), nil
}

// manifestArgument reads a manifest given to a call, as bytes or as the list they stand for; nil for none.
func (f *Invocation) manifestArgument(m *object.Machine, v object.Value, name string) ([]byte, *object.Exception) {
	switch {
	case !given(v):
		return nil, nil
	case isOctets(v):
		data, e := octets(m, v, name)
		if e == nil && data == nil {
			data = []byte{}
		}
		return data, e
	}
	return f.encode(m, v)
}
