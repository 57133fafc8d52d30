package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Bounds of a route table. Spec: sdk §19.3.
const (
	routesMax   = 200
	pathMax     = 256 // bytes
	priorityMax = 1<<16 - 1
)

// publishDeclared writes the table the module has declared, if it has declared one.
//
// Spec: sdk §19.3.
func (f *Invocation) publishDeclared(m *object.Machine) *object.Exception {
	if f.routes.IsZero() {
		return nil
	}
	data, e := f.encode(m, f.routes)
	if e != nil {
		return e
	}
	if err := f.PublishRoutes(data); err != nil {
		return f.raise(m, err)
	}
	return nil
}

// PublishRoutes replaces the actor's route table, which gateways read, after checking it: a CBOR list of routes.
//
// Spec: sdk §4.2, §19.3; entitlement-extras §3 (ingress.http).
func (f *Invocation) PublishRoutes(table []byte) error {
	if err := f.mutates("publishing routes"); err != nil {
		return err
	}
	if err := f.chargeFor(f.costs().StorageWrite, len(keyRoutes)+len(table), f.costs().CellsPerByteWritten); err != nil {
		return err
	}
	if len(table) > params.MaxStorageValueBytes {
		return raise(Quota, "a route table of %d bytes; at most %d are kept", len(table), params.MaxStorageValueBytes)
	}
	if err := f.charge(uint64(chapter.BuildingCost(table)), 0); err != nil {
		return err
	}
	volumes, n, err := checkRoutes(table)
	if err != nil {
		return raise(InvalidArgument, "%v", err)
	}
	g, err := f.require(entitle.Ingress, "publishing routes")
	if err != nil {
		return err
	}
	if g != nil {
		if most, limited := g.Number("max_routes"); limited && uint64(n) > most {
			return raise(EntitlementQuota, "%s: more than %d routes", g.ID, most)
		}
		for _, v := range volumes {
			if !slices.Contains(g.Texts("static_volumes"), v) {
				return raise(NoEntitlement, "%s does not list the volume %.64q", g.ID, v)
			}
		}
	}
	return f.put([]byte(keyRoutes), table)
}

// checkRoutes refuses a table no gateway could follow, and gives the volumes it mounts and the number of its routes.
func checkRoutes(table []byte) (volumes []string, n int, err error) {
	v, err := cbor.Parse(table)
	if err != nil {
		return nil, 0, err
	}
	list, ok := v.([]any)
	if !ok || len(list) > routesMax {
		return nil, 0, fmt.Errorf("a route table is a list of at most %d routes", routesMax)
	}
	seen := map[string]bool{}
	for _, item := range list {
		fields, _ := item.(cbor.Map)
		path, _ := textField(fields, "path")
		volume, err := checkRoute(fields)
		if err != nil {
			return nil, 0, fmt.Errorf("route %.64q: %w", path, err)
		}
		verb, _ := textField(fields, "verb")
		priority, _ := fields.Lookup("priority")
		key := fmt.Sprint(verb, " ", path, " ", priority)
		if seen[key] {
			return nil, 0, fmt.Errorf("route %.64q: declared twice for %s with the same priority", path, verb)
		}
		seen[key] = true
		if volume != "" {
			volumes = append(volumes, volume)
		}
	}
	return volumes, len(list), nil
}

func textField(fields cbor.Map, name string) (string, bool) {
	v, _ := fields.Lookup(name)
	s, ok := v.(string)
	return s, ok
}

// routeFields are those of a route, all of them required.
var routeFields = [...]string{"verb", "path", "target", "pays", "price", "priority", "enabled"}

// checkRoute refuses one route and gives the volume it serves from, if it does.
//
// Spec: sdk §19.3.
func checkRoute(fields cbor.Map) (volume string, err error) {
	for _, name := range routeFields {
		if _, ok := fields.Lookup(name); !ok {
			return "", fmt.Errorf("%s is missing", name)
		}
	}
	if len(fields) != len(routeFields) {
		return "", fmt.Errorf("a route has %d fields", len(routeFields))
	}
	verb, _ := textField(fields, "verb")
	switch verb {
	case "ANY", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE":
	default:
		return "", fmt.Errorf("no verb %.16q", verb)
	}
	path, _ := textField(fields, "path")
	if err := checkPath(path); err != nil {
		return "", err
	}
	price, _ := fields.Lookup("price")
	amount, isInt := price.(int64)
	if !isInt || amount < 0 {
		return "", fmt.Errorf("a price is an integer and not negative")
	}
	switch pays, _ := textField(fields, "pays"); {
	case pays == "actor":
	case pays == "caller" && amount > 0:
	case pays == "caller":
		return "", fmt.Errorf("a route the caller pays for has a price")
	default:
		return "", fmt.Errorf("pays is actor or caller")
	}
	p, _ := fields.Lookup("priority")
	if priority, ok := p.(int64); !ok || priority < 0 || priority > priorityMax {
		return "", fmt.Errorf("a priority is 0 to %d", priorityMax)
	}
	e, _ := fields.Lookup("enabled")
	if _, ok := e.(bool); !ok {
		return "", fmt.Errorf("enabled is true or false")
	}
	t, _ := fields.Lookup("target")
	return checkTarget(t)
}

// checkTarget refuses what a route leads to: a handler, or a volume.
func checkTarget(v any) (volume string, err error) {
	target, ok := v.(cbor.Map)
	if !ok {
		return "", fmt.Errorf("a target is a map")
	}
	name, ok := textField(target, "name")
	if !ok || name == "" || name[0] == '_' || len(name) > params.MaxHandlerBytes {
		return "", fmt.Errorf("a target has a name")
	}
	switch kind, _ := textField(target, "kind"); kind {
	case "method":
		return "", nil
	case "volume":
		return name, nil
	}
	return "", fmt.Errorf("a target's kind is method or volume")
}

// checkPath refuses a path pattern: segments, {name} for one segment, *rest for what is left.
//
// Spec: sdk §19.3; gateway-payments-streams C (/_cowboy/ is the gateway's).
func checkPath(path string) error {
	if path == "" || path[0] != '/' || len(path) > pathMax || strings.ContainsAny(path, " ?#%\\") {
		return fmt.Errorf("a path begins with / and has at most %d bytes", pathMax)
	}
	if path == "/_cowboy" || strings.HasPrefix(path, "/_cowboy/") {
		return fmt.Errorf("paths under /_cowboy/ are the gateway's")
	}
	segments := strings.Split(path[1:], "/")
	for i, s := range segments {
		switch {
		case s == "" && len(segments) > 1 && i < len(segments)-1:
			return fmt.Errorf("an empty segment")
		case strings.HasPrefix(s, "*") && i < len(segments)-1:
			return fmt.Errorf("%s stands at the end of a path", s)
		case strings.HasPrefix(s, "{") && (len(s) < 3 || s[len(s)-1] != '}'):
			return fmt.Errorf("%s is not {name}", s)
		}
	}
	return nil
}

func publishRoutes(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	data, e := f.encode(m, a.Arg(0))
	if e != nil {
		return object.Value{}, e
	}
	return none(f.PublishRoutes(data), f, m)
}

func publishedRoutes(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
	if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
		return object.Value{}, f.raise(m, err)
	}
	data, found, err := f.work.overlay.Lookup(StorageKey(f.self, []byte(keyRoutes)))
	if err == nil && found {
		err = f.chargeHundredths(uint64(len(data)) * 100 / f.costs().StateReadBytesPerCell)
	}
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	if !found {
		return m.NewList(nil).Value(), nil
	}
	return f.decode(m, data)
}
