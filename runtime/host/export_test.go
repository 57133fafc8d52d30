package host

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Templates is how many programs start from a template.
func (p *Programs) Templates() int {
	n := 0
	for _, code := range p.codes {
		if code.load.template != nil {
			n++
		}
	}
	return n
}

// Stamped gives a machine that ran a program's top level away from any chain, the one its template was made of, and one that started from the
// template; false if there is none.
func Stamped(source []byte) (plain, pattern, started *object.Machine, ok bool, err error) {
	p := NewPrograms()
	code, err := p.compile(digest.Hash{}, source)
	if err != nil {
		return nil, nil, nil, false, err
	}
	alone := func() (*object.Machine, *object.Exception) {
		m := p.fresh(&Invocation{work: &work{}, form: code.Form, alone: true}, object.NewMeter(8_000_000, 1_000_000))
		_, e := run(m, code)
		return m, e
	}
	plain, e := alone()
	if e != nil {
		return nil, nil, nil, false, nil
	}
	pattern, _ = alone()
	t := object.NewTemplate(pattern, nil)
	if t == nil {
		return nil, nil, nil, false, nil
	}
	started = p.machine(&Invocation{work: &work{}}, object.NewMeter(8_000_000, 1_000_000))
	_, ok = t.Start(started)
	return plain, pattern, started, ok, nil
}
