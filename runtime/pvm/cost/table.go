package cost

// Entry is one line of the price list.
type Entry struct {
	Name   string
	Cycles uint64
}

// Table returns the price list in its fixed order.
func Table() []Entry {
	return []Entry{
		{"arith", Arith}, {"call", Call}, {"dict_access", DictAccess}, {"list_access", ListAccess}, {"char", Char},
		{"import_first", ImportFirst}, {"import_again", ImportAgain}, {"import_denied", ImportDenied},
		{"serialize", Serialize}, {"encode", Encode},
		{"compare", Compare}, {"branch", Branch}, {"name", Name}, {"attribute", Attribute}, {"item", Item},
		{"slice", Slice}, {"iterate", Iterate}, {"step", Step}, {"display", Display}, {"element", Element},
		{"unpack", Unpack}, {"format", Format}, {"function", Function}, {"class", Class}, {"raise", Raise}, {"error", Error}, {"exception", Exception},
		{"big_int", BigInt}, {"big_words", BigWords}, {"try", Try},
		{"handler", Handler}, {"match", Match}, {"with", With}, {"yield", Yield}, {"comprehension", Comprehension},
		{"import", Import}, {"assert", Assert}, {"float", Float}, {"float_div", FloatDiv}, {"float_mod", FloatMod},
		{"float_mod_bits", FloatModBits}, {"nest", Nest}, {"deeper", Deeper}, {"shallow_nest", ShallowNest}, {"bind", Bind}, {"mapping", Mapping},
		{"expanding", Expanding}, {"bytes_per_cycle", BytesPerCycle},
	}
}
