package scenario

import (
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func query(w *world, args []string, payload string) error {
	actor, err := w.address(args[0])
	if err == nil {
		payload, err = w.fill(payload)
	}
	if err != nil {
		return err
	}
	o := w.chain.Query(actor, args[1], []byte(payload), nil)
	w.printed(w.chain.Asked().Printed)
	w.failed(w.chain.Asked().Failure)
	if o.Fault != nil {
		w.print("fault %d: %s", o.Fault.Code, o.Fault.Text)
	} else {
		w.print("= %s", shown(o.Return))
	}
	return nil
}

// why prints where the newest failure was.
func why(w *world, _ []string, _ string) error {
	if w.last == "" {
		return errors.New("nothing has failed in an actor yet")
	}
	w.print("%s", strings.TrimSuffix(w.last, "\n"))
	return nil
}

// printed prints what actors printed, a line each, with the actor's name.
func (w *world) printed(list []host.Print) {
	for _, p := range list {
		for line := range strings.Lines(p.Text) {
			w.print("%v prints %s", p.Actor, unitext.PlainLine(strings.TrimSuffix(line, "\n")))
		}
	}
}

// failed notes where an execution failed; nil: it did not.
func (w *world) failed(f *host.Failure) {
	if f == nil {
		return
	}
	w.last = f.Render(func(actor account.Address) string {
		source, _, err := w.chain.State().Lookup(host.CodeKey(w.chain.Record(actor).CodeHash))
		if err != nil {
			return ""
		}
		return w.files[string(source)]
	})
	w.failures = append(w.failures, w.last)
}
