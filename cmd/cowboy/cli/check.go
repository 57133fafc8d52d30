package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// checkSource gives everything a deployment would refuse, as file:line:col and what to do, in source order.
// Spec: WP "Forbidden Operations".
func checkSource(path string, source []byte) []string {
	var found []string
	for _, err := range host.Check(source) {
		found = append(found, unitext.Head(fmt.Sprintf("%s:%v", path, err)))
	}
	return found
}

// errRefused ends `check` after the findings have been printed.
var errRefused = errors.New("the source would be refused")

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check FILE.py...", Short: "Print everything a deployment would refuse", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			report := map[string][]string{}
			refused := false
			for _, path := range paths {
				source, err := readSource(path)
				if err != nil {
					return err
				}
				found := checkSource(path, source)
				report[path] = append([]string{}, found...)
				refused = refused || len(found) > 0
				if a.asJSON {
					continue
				}
				for _, line := range found {
					fmt.Fprintln(a.out, line)
				}
				if len(found) == 0 {
					fmt.Fprintf(a.out, "%s: ok%s\n", path, formNote(source))
					for _, line := range pvm.Waits(source) {
						fmt.Fprintf(a.out, "%s:%d: warning: a generator that is dropped here never runs its finally or leaves its with; "+
							"end it, or call close()\n", path, line)
					}
				}
			}
			if a.asJSON {
				if err := a.showJSON(report); err != nil {
					return err
				}
			}
			if refused {
				return silent{errRefused}
			}
			return nil
		},
	}
}

// formNote warns of the older forms, whose handlers are open. Spec: README (Permissions, Handler modes).
func formNote(source []byte) string {
	form := host.FormOf(source)
	var notes []string
	if !form.Permissions {
		notes = append(notes, "names no permission decorator: anyone may call every handler without a leading underscore")
	}
	if !form.Modes {
		notes = append(notes, "names no mode decorator: handlers may send and schedule")
	}
	if len(notes) == 0 {
		return ""
	}
	return " (warning: " + strings.Join(notes, "; ") + ")"
}
