package explorer

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// longText is how much of a text stands on the page; a longer one, or one of several lines, is unfolded on demand.
const longText = 120

// fact is one field of an instruction as the page shows it.
type fact struct {
	Name  string
	Kind  string // address, amount, number, folded or text
	Value any
}

// facts lists the fields of an instruction in the order of its row, those of groups and lists under their path.
func facts(in wire.Instruction) []fact {
	name, _ := in["type"].(string)
	row, known := tx.RowNamed(name)
	if !known {
		return nil
	}
	return factsOf("", row.Fields(), in)
}

func factsOf(path string, fields []tx.Field, members map[string]any) []fact {
	var list []fact
	for _, f := range fields {
		name, value := path+f.Name, members[f.Name]
		switch f.Type {
		case tx.TypeGroup:
			group, _ := value.(map[string]any)
			list = append(list, factsOf(name+".", f.Fields(), group)...)
			continue
		case tx.TypeList:
			elements, _ := value.([]any)
			for i, element := range elements {
				m, _ := element.(map[string]any)
				list = append(list, factsOf(fmt.Sprintf("%s[%d].", name, i), f.Fields(), m)...)
			}
			continue
		}
		if value == nil {
			continue
		}
		list = append(list, factOf(f, name, value, members))
	}
	return list
}

func factOf(f tx.Field, name string, value any, members map[string]any) fact {
	switch f.Type {
	case tx.TypeAddress:
		return fact{name, "address", value}
	case tx.TypeAmount:
		if n, ok := value.(uint64); ok {
			return fact{name, "amount", n}
		}
	case tx.TypeUint:
		return fact{name, "number", value}
	}
	if text, ok := members[f.Name+"_text"]; ok {
		value = text
	}
	text := fmt.Sprint(value)
	if len(text) > longText || strings.Contains(text, "\n") {
		return fact{name, "folded", text}
	}
	return fact{name, "text", text}
}
