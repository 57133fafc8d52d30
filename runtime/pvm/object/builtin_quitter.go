package object

// quitter is one of the names exit and quit of a script: calling it raises SystemExit.
type quitter struct {
	Object
	name string
}

var typeQuitter Type

// defineQuitters puts exit and quit among the built-in names.
func defineQuitters(d *Dict) {
	leave := NewBuiltin(Method{Name: "__call__", Sig: "code=None", Func: func(m *Machine, a Args) (Value, *Exception) {
		return Value{}, m.RaiseValue(&ExcSystemExit, a.Or(0, None))
	}}).Value()
	Define(&typeQuitter, Spec{
		Name: "Quitter", Layout: LayoutOf[quitter](KindLeaf), NoNew: true, Final: true,
		Fields: []Field{{Name: "name", Get: func(m *Machine, v Value) (Value, *Exception) { return m.Str(Trust[quitter](v).name), nil }}},
		Slots: Slots{
			Call: func(m *Machine, v Value, a Args) (Value, *Exception) { return m.Call(leave, a) },
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				return m.shown("Use " + Trust[quitter](v).name + "() or Ctrl-D (i.e. EOF) to exit"), nil
			},
		},
	})
	for _, name := range [...]string{"exit", "quit"} {
		q := &quitter{name: name}
		q.typ, q.kind, q.flags = &typeQuitter, KindLeaf, flagStatic
		d.putStatic(StaticName(name), Of(&q.Object))
	}
}
