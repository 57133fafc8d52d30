package route

import "strings"

// Param is a part of a path that a route has a name for.
type Param struct{ Name, Value string }

// Match is the route that a request takes: to a handler, or to a file of a volume.
type Match struct {
	Handler string  // "" for a file
	Params  []Param // of the path to a handler, each name once, in the order of the route's path
	Volume  string
	File    string // what follows the route's path, without a slash before it; "" for the path itself
}

// rank orders the routes that fit: by priority, then by the text before the first parameter, then a method of its own before ANY.
//
// Spec: sdk §19.3 (tie-break).
type rank struct {
	priority uint32
	literal  int
	own      int // 2: the request's method, 1: GET for HEAD, 0: ANY
}

func (r rank) above(o rank) bool {
	if r.priority != o.priority {
		return r.priority > o.priority
	}
	if r.literal != o.literal {
		return r.literal > o.literal
	}
	return r.own > o.own
}

// Find gives the route that a request takes; ok is false where none fits. A part {name} of a route's path stands for one part of the request's, *name at its
// end for the rest; a route to files takes what lies below its path, for GET and HEAD. Of the routes that fit the one with the highest priority wins, which
// is one to a handler wherever there is one. A route for GET takes HEAD too. Of equals the manifest's first wins.
//
// Spec: storage-cbfs §3.2 (102); sdk §19.3; RFC 9110 §9.3.2.
func (m *Manifest) Find(method, path string) (best Match, ok bool) {
	given, top := split(path), rank{}
	for _, d := range m.Dynamic {
		own, takes := owns(d.Method, method)
		r := rank{d.Priority, literal(d.Path), own}
		if !takes || ok && !r.above(top) {
			continue
		}
		if params, fits := match(split(d.Path), given); fits {
			best, top, ok = Match{Handler: d.Handler, Params: params}, r, true
		}
	}
	for _, s := range m.Static {
		r := rank{s.Priority, literal(s.Path), 0}
		if method != "GET" && method != "HEAD" || ok && !r.above(top) {
			continue
		}
		if file, fits := below(s.Path, path); fits {
			best, top, ok = Match{Volume: s.Volume, File: file}, r, true
		}
	}
	return best, ok
}

// owns reports whether a route takes a method, and how much it is the method's own. HEAD is answered as GET.
func owns(route, method string) (own int, takes bool) {
	switch {
	case route == method:
		return 2, true
	case route == "GET" && method == "HEAD":
		return 1, true
	}
	return 0, route == "ANY"
}

// split gives the parts of a path, without slashes around it.
func split(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// literal is how many bytes of a path stand before its first parameter.
func literal(path string) int {
	if i := strings.IndexAny(path, "{*"); i >= 0 {
		return i
	}
	return len(path)
}

// match fits the parts of a path to those of a route. Of two parameters with one name the last one's value counts.
func match(want, given []string) (params []Param, ok bool) {
	for i, part := range want {
		if rest, is := strings.CutPrefix(part, "*"); is {
			if rest != "" {
				params = with(params, rest, strings.Join(given[min(i, len(given)):], "/"))
			}
			return params, true
		}
		if i >= len(given) {
			return nil, false
		}
		if name, is := strings.CutPrefix(part, "{"); is && strings.HasSuffix(name, "}") {
			params = with(params, name[:len(name)-1], given[i])
		} else if part != given[i] {
			return nil, false
		}
	}
	return params, len(given) == len(want)
}

func with(params []Param, name, value string) []Param {
	for i := range params {
		if params[i].Name == name {
			params[i].Value = value
			return params
		}
	}
	return append(params, Param{name, value})
}

// below gives what of a path follows a route to files.
func below(under, path string) (file string, ok bool) {
	under = strings.TrimRight(strings.TrimSuffix(under, "*"), "/")
	rest, ok := strings.CutPrefix(path, under)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}
