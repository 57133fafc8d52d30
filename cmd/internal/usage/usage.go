package usage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/cmd/spelling"
)

// Guard lets a tree of commands, once it is complete, refuse what they do not take: flags they do not know or cannot read, arguments that are too many
// or too few, and words that are no commands. wrong makes of such an error what the program tells apart.
func Guard(root *cobra.Command, wrong func(error) error) {
	g := guard{wrong}
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable (not .DisableFlagsInUseLine)}}", 1))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return g.told(cmd, err, meantFlag(cmd, err)) })
	g.watch(root)
}

type guard struct{ wrong func(error) error }

func (g guard) watch(cmd *cobra.Command) {
	takes := cmd.Args
	group := cmd.HasSubCommands() && !cmd.Runnable()
	if group { // only what can run has its arguments looked at
		cmd.RunE = func(*cobra.Command, []string) error { return nil }
		cmd.DisableFlagsInUseLine = true // marks it for the template
	}
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		if cmd.HasSubCommands() && len(words) > 0 {
			return g.told(cmd, fmt.Errorf("unknown command %q for %q", words[0], cmd.CommandPath()), meantCommand(cmd, words[0]))
		}
		if group {
			return pflag.ErrHelp
		}
		if takes != nil {
			if err := takes(cmd, words); err != nil {
				return g.told(cmd, err, "\n  it is `"+strings.TrimSuffix(cmd.UseLine(), " [flags]")+"`")
			}
		}
		if err := cmd.ValidateRequiredFlags(); err != nil {
			return g.told(cmd, err, "")
		}
		return nil
	}
	for _, sub := range cmd.Commands() {
		g.watch(sub)
	}
}

// told adds to an error what was meant and where to read more.
func (g guard) told(cmd *cobra.Command, err error, meant string) error {
	return g.wrong(fmt.Errorf("%w%s\n  see `%s --help`", err, meant, cmd.CommandPath()))
}

// meantCommand names what was probably meant: commands of that name elsewhere in the tree, those that say the word stands for them, else the nearest beside.
func meantCommand(cmd *cobra.Command, word string) string {
	var meant, names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(append(names, sub.Name()), sub.Aliases...)
		}
	}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			if sub.Name() == word || slices.Contains(sub.Aliases, word) || slices.Contains(sub.SuggestFor, word) {
				meant = append(meant, "`"+sub.CommandPath()+"`")
			}
			visit(sub)
		}
	}
	visit(cmd.Root())
	switch near := spelling.Nearest(word, names, min(2, len(word)/2)); {
	case len(meant) > mostMeant: // a word for nearly everything says nothing
	case len(meant) > 0:
		return "\n  did you mean " + strings.Join(meant, " or ") + "?"
	case near != "":
		return "\n  did you mean `" + cmd.CommandPath() + " " + near + "`?"
	}
	return ""
}

// mostMeant is how many commands an answer names.
const mostMeant = 4

func meantFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	given := unknown.GetSpecifiedName()
	for _, name := range names { // a longer or shorter form of it
		if len(name) > 2 && len(given) > 2 && (strings.HasPrefix(given, name) || strings.HasPrefix(name, given)) {
			return "\n  did you mean --" + name + "?"
		}
	}
	if near := spelling.Nearest(given, names, 2); near != "" {
		return "\n  did you mean --" + near + "?"
	}
	return ""
}
