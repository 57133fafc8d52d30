package route

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Bounds of a manifest of routes.
//
// Spec: storage-cbfs §3.2 (102).
const (
	MaxRoutes        = 100 // of each kind
	MaxManifestBytes = 64 << 10
	MaxPath          = 256
	MaxVolume        = 64
	MaxHandler       = 256
	maxMethod        = 16
)

// Static is a route to the files of a public volume.
type Static struct {
	Path     string
	Volume   string // its name
	Priority uint32
}

// Dynamic is a route to a handler.
type Dynamic struct {
	Method   string // "ANY" for all
	Path     string
	Handler  string
	Priority uint32
}

// Manifest is the routes of an actor.
//
// Spec: storage-cbfs §3.2 (102); gateway-payments-streams §A.2, §B (static hosting).
type Manifest struct {
	Static  []Static
	Dynamic []Dynamic
}

// Append appends the route: Bytes path ‖ Bytes volume ‖ UInt priority.
func (s Static) Append(dst []byte) []byte {
	dst = codec.AppendBytes(codec.AppendBytes(dst, []byte(s.Path)), []byte(s.Volume))
	return codec.AppendUint(dst, uint64(s.Priority))
}

// ReadStatic reads what Append wrote; errors stay in r.
func ReadStatic(r *codec.Reader) Static {
	return Static{string(r.Bytes(MaxPath)), string(r.Bytes(MaxVolume)), r.Uint32()}
}

// Append appends the route: Bytes method ‖ Bytes path ‖ Bytes handler ‖ UInt priority.
func (d Dynamic) Append(dst []byte) []byte {
	dst = codec.AppendBytes(codec.AppendBytes(dst, []byte(d.Method)), []byte(d.Path))
	return codec.AppendUint(codec.AppendBytes(dst, []byte(d.Handler)), uint64(d.Priority))
}

// ReadDynamic reads what Append wrote; errors stay in r.
func ReadDynamic(r *codec.Reader) Dynamic {
	return Dynamic{string(r.Bytes(maxMethod)), string(r.Bytes(MaxPath)), string(r.Bytes(MaxHandler)), r.Uint32()}
}

// Append appends the canonical encoding: a list of Static ‖ a list of Dynamic.
func (m *Manifest) Append(dst []byte) []byte {
	dst = codec.AppendLen(dst, len(m.Static))
	for _, s := range m.Static {
		dst = s.Append(dst)
	}
	dst = codec.AppendLen(dst, len(m.Dynamic))
	for _, d := range m.Dynamic {
		dst = d.Append(dst)
	}
	return dst
}

// DecodeManifest reads what Append wrote.
func DecodeManifest(data []byte) (m Manifest, err error) {
	r := codec.NewReader(data)
	m.Static = make([]Static, r.Len(0, MaxRoutes, 3))
	for i := range m.Static {
		m.Static[i] = ReadStatic(r)
	}
	m.Dynamic = make([]Dynamic, r.Len(0, MaxRoutes, 4))
	for i := range m.Dynamic {
		m.Dynamic[i] = ReadDynamic(r)
	}
	return m, r.Finish()
}

// Check holds a manifest to its bounds and the rule of priorities: the lowest of a route to a handler is above the highest of one to files by more than 1.
// Rejects: ErrManifest, ErrPriority.
//
// Spec: storage-cbfs §3.2 (gap rule).
func (m *Manifest) Check() error {
	if len(m.Static) > MaxRoutes || len(m.Dynamic) > MaxRoutes {
		return ErrManifest
	}
	var highest, lowest uint64
	for _, s := range m.Static {
		if !isPath(s.Path) || s.Volume == "" || len(s.Volume) > MaxVolume {
			return ErrManifest
		}
		highest = max(highest, uint64(s.Priority))
	}
	for i, d := range m.Dynamic {
		if !isPath(d.Path) || d.Handler == "" || d.Handler[0] == '_' || len(d.Handler) > MaxHandler || !isMethod(d.Method) {
			return ErrManifest
		}
		if i == 0 || uint64(d.Priority) < lowest {
			lowest = uint64(d.Priority)
		}
	}
	if len(m.Append(nil)) > MaxManifestBytes {
		return ErrManifest
	}
	if len(m.Static) > 0 && len(m.Dynamic) > 0 && lowest <= highest+1 {
		return ErrPriority
	}
	return nil
}

func isMethod(m string) bool {
	switch m {
	case "ANY", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return true
	}
	return false
}

// isPath admits what an address can say, outside of what is the gateway's own.
//
// Spec: gateway-payments-streams §B (paths under /_cowboy/ must not reach the actor).
func isPath(p string) bool {
	if p == "" || p[0] != '/' || len(p) > MaxPath || p == "/_cowboy" || strings.HasPrefix(p, "/_cowboy/") {
		return false
	}
	for i := range len(p) {
		if p[i] <= ' ' || p[i] >= 0x7f || strings.IndexByte("?#%\\", p[i]) >= 0 {
			return false
		}
	}
	return true
}

// Publish replaces an actor's manifest of routes. Rejects: ErrOwner, ErrIngress, ErrManifest, ErrPriority, ErrVolume.
//
// Spec: storage-cbfs §3.2 (102).
func (g *Registry) Publish(actor account.Address, m *Manifest) error {
	if err := g.speaks(actor); err != nil {
		return err
	}
	if err := m.Check(); err != nil {
		return err
	}
	h, declared, err := entitle.HTTPOf(g.State, actor)
	if err != nil {
		return err
	}
	if !declared {
		return ErrIngress
	}
	for _, s := range m.Static {
		if !slices.Contains(h.Volumes, s.Volume) {
			return ErrVolume
		}
	}
	g.State.Set(under(underManifest, actor[:]), m.Append(nil))
	return nil
}

// LoadManifest reads an actor's manifest of routes. Reject: ErrNoRoutes.
func LoadManifest(r state.Reader, actor account.Address) (Manifest, error) {
	data, ok, err := r.Lookup(under(underManifest, actor[:]))
	if err != nil {
		return Manifest{}, err
	}
	if !ok {
		return Manifest{}, ErrNoRoutes
	}
	return DecodeManifest(data)
}
