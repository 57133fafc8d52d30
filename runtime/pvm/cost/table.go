package cost

// Entry is one line of the price list.
type Entry struct {
	Name   string
	Cycles uint64
}

// Table returns a price list in its fixed order.
func Table(p *Prices) []Entry {
	return []Entry{
		{"arith", uint64(p.Arith)},
		{"call", uint64(p.Call)},
		{"dict_access", uint64(p.DictAccess)},
		{"list_access", uint64(p.ListAccess)},
		{"char", uint64(p.Char)},
		{"import_first", uint64(p.ImportFirst)},
		{"import_again", uint64(p.ImportAgain)},
		{"import_denied", uint64(p.ImportDenied)},
		{"serialize", uint64(p.Serialize)},
		{"encode", uint64(p.Encode)},
		{"compare", uint64(p.Compare)},
		{"branch", uint64(p.Branch)},
		{"name", uint64(p.Name)},
		{"attribute", uint64(p.Attribute)},
		{"item", uint64(p.Item)},
		{"slice", uint64(p.Slice)},
		{"iterate", uint64(p.Iterate)},
		{"step", uint64(p.Step)},
		{"display", uint64(p.Display)},
		{"element", uint64(p.Element)},
		{"unpack", uint64(p.Unpack)},
		{"format", uint64(p.Format)},
		{"function", uint64(p.Function)},
		{"class", uint64(p.Class)},
		{"raise", uint64(p.Raise)},
		{"error", uint64(p.Error)},
		{"exception", uint64(p.Exception)},
		{"big_int", uint64(p.BigInt)},
		{"big_words", uint64(p.BigWords)},
		{"try", uint64(p.Try)},
		{"handler", uint64(p.Handler)},
		{"match", uint64(p.Match)},
		{"with", uint64(p.With)},
		{"yield", uint64(p.Yield)},
		{"comprehension", uint64(p.Comprehension)},
		{"import", uint64(p.ImportAgain)},
		{"assert", uint64(p.Assert)},
		{"float", uint64(p.Float)},
		{"float_div", uint64(p.FloatDiv)},
		{"float_mod", uint64(p.FloatMod)},
		{"float_mod_bits", uint64(p.FloatModBits)},
		{"nest", uint64(p.Nest)},
		{"deeper", uint64(p.Deeper)},
		{"shallow_nest", uint64(p.ShallowNest)},
		{"operand", uint64(p.Operand)},
		{"cell", uint64(p.Cell)},
		{"move", uint64(p.Move)},
		{"mapping", uint64(p.Mapping)},
		{"expanding", uint64(p.Expanding)},
		{"copy_object", uint64(p.CopyObject)},
		{"bytes_per_cycle", 1 << p.ByteShift},
	}
}
