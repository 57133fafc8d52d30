package object

// nameTable interns the names that native code knows. It is filled while
// packages are initialised and only read afterwards.
type nameTable struct{ byText map[string]*Str }

var staticNames = &nameTable{byText: map[string]*Str{}}

func (t *nameTable) intern(s string) *Str {
	if n, ok := t.byText[s]; ok {
		return n
	}
	n := NewStatic(s)
	t.byText[s] = n
	return n
}

// StaticName returns the interned string of a name that native code uses. It may
// be called only while package variables are initialised.
func StaticName(s string) *Str { return staticNames.intern(s) }

// KnownName returns the interned string of s if native code knows it. Compilers
// intern through it so that names meet by pointer.
func KnownName(s string) (*Str, bool) {
	n, ok := staticNames.byText[s]
	return n, ok
}

// Names used by the object model itself.
var (
	nSelf          = StaticName("self")
	nModule        = StaticName("__module__")
	nQualname      = StaticName("__qualname__")
	nName          = StaticName("__name__")
	nDoc           = StaticName("__doc__")
	nDict          = StaticName("__dict__")
	nClass         = StaticName("__class__")
	nSlots         = StaticName("__slots__")
	nNew           = StaticName("__new__")
	nInit          = StaticName("__init__")
	nGetAttribute  = StaticName("__getattribute__")
	nGetAttr       = StaticName("__getattr__")
	nSetAttr       = StaticName("__setattr__")
	nSplit         = StaticName("split")
	nDelAttr       = StaticName("__delattr__")
	nGet           = StaticName("__get__")
	nSet           = StaticName("__set__")
	nDelete        = StaticName("__delete__")
	nSetName       = StaticName("__set_name__")
	nInitSubclass  = StaticName("__init_subclass__")
	nClassGetItem  = StaticName("__class_getitem__")
	nClassCell     = StaticName("__classcell__")
	nPrepare       = StaticName("__prepare__")
	nMroEntries    = StaticName("__mro_entries__")
	nMro           = StaticName("mro")
	nBases         = StaticName("__bases__")
	nEq            = StaticName("__eq__")
	nHash          = StaticName("__hash__")
	nRepr          = StaticName("__repr__")
	nStr           = StaticName("__str__")
	nFormat        = StaticName("__format__")
	nBytes         = StaticName("__bytes__")
	nBool          = StaticName("__bool__")
	nLen           = StaticName("__len__")
	nLengthHint    = StaticName("__length_hint__")
	nIter          = StaticName("__iter__")
	nNext          = StaticName("__next__")
	nReversed      = StaticName("__reversed__")
	nContains      = StaticName("__contains__")
	nGetItem       = StaticName("__getitem__")
	nSetItem       = StaticName("__setitem__")
	nDelItem       = StaticName("__delitem__")
	nMissing       = StaticName("__missing__")
	nCall          = StaticName("__call__")
	nEnter         = StaticName("__enter__")
	nExit          = StaticName("__exit__")
	nAEnter        = StaticName("__aenter__")
	nAExit         = StaticName("__aexit__")
	nInstanceCheck = StaticName("__instancecheck__")
	nSubclassCheck = StaticName("__subclasscheck__")
	nDir           = StaticName("__dir__")
	nRound         = StaticName("__round__")
	nTrunc         = StaticName("__trunc__")
	nComplex       = StaticName("__complex__")
	nFloat         = StaticName("__float__")
	nInt           = StaticName("__int__")
	nAbstract      = StaticName("__abstractmethods__")
	nIsAbstract    = StaticName("__isabstractmethod__")
	nAnnotations   = StaticName("__annotations__")
	nMatchArgs     = StaticName("__match_args__")
	nNotes         = StaticName("__notes__")
	nDel           = StaticName("__del__")
	nKeys          = StaticName("keys")
	nSend          = StaticName("send")
	nThrow         = StaticName("throw")
	nClose         = StaticName("close")
	nAll           = StaticName("__all__")
	nOrigClass     = StaticName("__orig_class__")
	nOrigBases     = StaticName("__orig_bases__")
	nTypeParams    = StaticName("__parameters__")
	nBuiltins      = StaticName("builtins")
)

// Names that programs often hold and the object model never asks for. A name known here is one object in all programs.
var _ = func() (names []*Str) {
	for _, s := range [...]string{
		"__await__", "__aiter__", "__anext__", "__floor__", "__ceil__", "__index__", "__wrapped__", "__build_class__", "__main__", "__weakref__",
		"__defaults__", "__kwdefaults__", "__func__", "__self__", "__globals__", "__traceback__", "__context__", "__cause__", "__sizeof__", "__reduce__",
		"__reduce_ex__", "__subclasses__", "__file__", "print",
	} {
		names = append(names, StaticName(s))
	}
	return names
}()
