package tx

import "fmt"

// Category is the first byte of an instruction. Spec: WP §2.1, §2.5.
type Category uint8

// The categories. Spec: WP §2.1.
const (
	System Category = iota
	Actor
	Custom
	Library
	categoryCount
)

// String names the category.
func (c Category) String() string {
	switch c {
	case System:
		return "System"
	case Actor:
		return "Actor"
	case Custom:
		return "Custom"
	case Library:
		return "Library"
	}
	return fmt.Sprintf("Category(%d)", uint8(c))
}

// Opcode is what an instruction does: its category and the sub-type within it,
// one byte each on the wire. Spec: WP §2.5.
type Opcode uint16

// Op is the opcode of a category and sub-type.
func Op(c Category, subType uint8) Opcode { return Opcode(c)<<8 | Opcode(subType) }

// Category is the opcode's first byte.
func (o Opcode) Category() Category { return Category(o >> 8) }

// SubType is the opcode's second byte.
func (o Opcode) SubType() uint8 { return uint8(o) }

// String is the instruction's name where it has one, and its numbers.
func (o Opcode) String() string {
	if r, ok := RowOf(o); ok {
		return fmt.Sprintf("%v.%s(%d)", o.Category(), r.Name, o.SubType())
	}
	return fmt.Sprintf("%v(%d)", o.Category(), o.SubType())
}
