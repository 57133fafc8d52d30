package resolve

import "strings"

// Mangle returns the name under which an identifier is known inside a class:
// __x in class C is _C__x. Names that end in two underscores or hold a dot, and
// classes named with underscores only, are left alone.
func Mangle(class, name string) string {
	if class == "" || len(name) < 3 || name[0] != '_' || name[1] != '_' ||
		strings.HasSuffix(name, "__") || strings.IndexByte(name, '.') >= 0 {
		return name
	}
	class = strings.TrimLeft(class, "_")
	if class == "" {
		return name
	}
	return "_" + class + name
}

// Mangle is Mangle for code in this scope.
func (s *Scope) Mangle(name string) string { return Mangle(s.Class, name) }
