package host

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Render writes a failure as CPython 3.11 writes a traceback, each line ended. file names the source of an actor; nil, or "" of it, leaves the actor's
// address before the name of its module.
func (f *Failure) Render(file func(actor account.Address) string) string {
	var b strings.Builder
	f.render(&b, file)
	return b.String()
}

func (f *Failure) render(b *strings.Builder, file func(actor account.Address) string) {
	if f.Before != nil {
		f.Before.render(b, file)
		if f.Caused {
			b.WriteString("\nThe above exception was the direct cause of the following exception:\n\n")
		} else {
			b.WriteString("\nDuring handling of the above exception, another exception occurred:\n\n")
		}
	}
	if len(f.Places) > 0 {
		b.WriteString("Traceback (most recent call last):\n")
	}
	for i := range f.Places {
		p := &f.Places[i]
		name := ""
		if file != nil {
			name = file(p.Actor)
		}
		if name == "" {
			name = p.Actor.String() + "/" + p.File
		}
		fmt.Fprintf(b, "  File \"%s\", line %d, in %s\n", name, p.Line, p.Function)
		for _, line := range [...]string{p.Source, p.Marks} {
			if line != "" {
				b.WriteString("    " + line + "\n")
			}
		}
		if p.Repeated > 0 {
			fmt.Fprintf(b, "  [Previous line repeated %d more time%s]\n", p.Repeated, object.Plural(p.Repeated))
		}
		if p.Skipped > 0 {
			fmt.Fprintf(b, "  [%d further frame%s left out]\n", p.Skipped, object.Plural(p.Skipped))
		}
	}
	b.WriteString(f.Error() + "\n")
}
