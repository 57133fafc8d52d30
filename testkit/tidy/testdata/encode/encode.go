// Package encode has types that encode themselves, and others.
package encode

type (
	plain   struct{}
	pointer struct{}
	inner   struct{}
	list    struct{}
	two     struct{}
)

func (plain) Encode() []byte               { return nil }
func (*pointer) Append(dst []byte) []byte  { return dst }
func (*pointer) Encode() []byte            { return nil }
func (inner) appendBody(dst []byte) []byte { return dst }
func (*list) append(plain)                 {}
func (two) Encode() ([]byte, error)        { return nil, nil }
func (two) Other() []byte                  { return nil }
