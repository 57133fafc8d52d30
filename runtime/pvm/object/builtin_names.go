package object

// builtinNames is the namespace behind every module's own. It is filled when the
// package is initialised.
var builtinNames Dict

// Builtins returns the namespace of built-in names; not to be modified.
func Builtins() *Dict { return &builtinNames }

// builtinTypes are the types with a built-in name beside the exceptions.
var builtinTypes = [...]*Type{
	&TypeObject, &TypeType, &TypeInt, &TypeBool, &TypeFloat, &TypeComplex, &TypeStr, &TypeBytes, &TypeByteArray,
	&TypeList, &TypeTuple, &TypeDict, &TypeSet, &TypeFrozenSet, &TypeRange, &TypeSlice, &TypeProperty,
	&TypeClassMethod, &TypeStaticMethod, &TypeSuper, &TypeReversed, &TypeEnumerate, &TypeZip, &TypeMap, &TypeFilter,
	&TypeMemoryView,
}

func defineBuiltins() {
	d := &builtinNames
	d.typ, d.kind, d.flags = &TypeDict, KindDict, flagStatic
	for _, t := range builtinTypes {
		d.putStatic(StaticName(t.ShortName()), t.Value())
	}
	d.putStatic(StaticName(ExcBaseException.Name), ExcBaseException.Value())
	for _, x := range exceptionTree {
		d.putStatic(StaticName(x.name), x.t.Value())
	}
	d.putStatic(StaticName("ExceptionGroup"), ExcExceptionGroup.Value())
	d.putStatic(StaticName("EnvironmentError"), ExcOSError.Value())
	d.putStatic(StaticName("IOError"), ExcOSError.Value())
	d.putStatic(StaticName("None"), None)
	d.putStatic(StaticName("True"), True)
	d.putStatic(StaticName("False"), False)
	d.putStatic(StaticName("Ellipsis"), Ellipsis)
	d.putStatic(StaticName("NotImplemented"), NotImplemented)
	d.putStatic(StaticName("__debug__"), True)
	d.putStatic(StaticName("__name__"), nBuiltins.Value())
	for _, f := range builtinFunctions() {
		d.putStatic(StaticName(f.Name), NewBuiltin(f).Value())
	}
	defineQuitters(d)
}
