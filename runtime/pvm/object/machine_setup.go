package object

// The tables below are filled while the package is initialised, in the order of
// their dependencies, and never written again.
var _ = setup()

func setup() bool {
	dunders.build()
	defineObject()
	defineType()
	defineDescriptors()
	defineSuper()
	defineFunctions()
	defineSingletons()
	defineNumbers()
	defineComplex()
	defineStr()
	defineBytes()
	defineList()
	defineTuple()
	defineDict()
	defineIterators()
	defineFunctional()
	defineDictViews()
	defineSets()
	defineRange()
	defineGenerators()
	defineTask()
	defineExceptions()
	defineTraceback()
	defineAlias()
	defineBuiltins()
	return true
}
