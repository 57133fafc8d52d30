package compile

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Disassemble lists the instructions of a unit, function by function, with block
// costs, for people.
func Disassemble(u *object.Unit) string {
	var b strings.Builder
	for _, c := range u.Codes {
		fmt.Fprintf(&b, "%s (line %d): %d registers\n", c.Qualname, c.FirstLine, c.Regs)
		line := int32(0)
		for pc, in := range c.Instrs {
			mark := "    "
			if at := c.Pos4[pc].Line; at != line {
				line = at
				mark = fmt.Sprintf("%4d", at)
			}
			fmt.Fprintf(&b, "%s %5d %-14s %5d %5d %5d %6d %6d  %s\n", mark, pc, Name(in.Op), in.A, in.B, in.C, in.D, int32(in.E), note(c, in))
		}
		for i, h := range c.Handlers {
			fmt.Fprintf(&b, "     handler %d: to %d, exception in %d\n", i, h.Target, h.Reg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// note says what a table operand stands for.
func note(c *object.Code, in object.Instr) string {
	switch in.Op {
	case OpConst, OpItemK:
		k := c.Consts[in.D]
		switch k.Kind() {
		case object.KindInt:
			return fmt.Sprint(k.Int64())
		case object.KindStr:
			s, _ := k.AsStr()
			return fmt.Sprintf("%.40q", s.String())
		}
		return k.Type().Name
	case OpCheck, OpLoadCell, OpLoadFree, OpLoadGlobal, OpStoreGlobal, OpUnsetGlobal, OpLoadName, OpLoadClassFree,
		OpMethod, OpStoreName, OpUnsetName, OpAttr, OpSetAttr, OpDelAttr, OpImport, OpImportFrom:
		return c.Names[in.D].String()
	case OpCallMethod:
		return c.Names[in.D&0xffff].String()
	case OpFunction:
		return c.Children[in.D].Qualname.String()
	}
	return ""
}
