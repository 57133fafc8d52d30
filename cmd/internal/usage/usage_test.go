package usage

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

type wrong struct{ error }

// tree is a command line with a group, an argument, an optional and a required flag.
func tree() *cobra.Command {
	root := &cobra.Command{Use: "tool", SilenceErrors: true, SilenceUsage: true}
	keys := &cobra.Command{Use: "keys"}
	done := func(*cobra.Command, []string) error { return nil }
	show := &cobra.Command{Use: "show NAME", Args: cobra.ExactArgs(1), RunE: done, SuggestFor: []string{"print"}}
	show.Flags().Int("depth", 1, "")
	read := &cobra.Command{Use: "read", Args: cobra.NoArgs, RunE: done}
	read.Flags().String("hash", "", "")
	if err := read.MarkFlagRequired("hash"); err != nil {
		panic(err)
	}
	keys.AddCommand(show, read)
	root.AddCommand(keys)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	Guard(root, func(err error) error { return wrong{err} })
	return root
}

func TestGuard(t *testing.T) {
	for i, x := range []struct {
		line []string
		want string // "" is no error
	}{
		{nil, ""},
		{[]string{"keys"}, ""},
		{[]string{"keys", "show", "a"}, ""},
		{[]string{"keys", "read", "--hash", "x"}, ""},
		{[]string{"key"}, "unknown command \"key\" for \"tool\"\n  did you mean `tool keys`?\n  see `tool --help`"},
		{[]string{"keys", "shwo"}, "unknown command \"shwo\" for \"tool keys\"\n  did you mean `tool keys show`?\n  see `tool keys --help`"},
		{[]string{"show"}, "unknown command \"show\" for \"tool\"\n  did you mean `tool keys show`?\n  see `tool --help`"},
		{[]string{"print"}, "unknown command \"print\" for \"tool\"\n  did you mean `tool keys show`?\n  see `tool --help`"},
		{[]string{"kez"}, "unknown command \"kez\" for \"tool\"\n  see `tool --help`"},
		{[]string{"keys", "elephant"}, "unknown command \"elephant\" for \"tool keys\"\n  see `tool keys --help`"},
		{[]string{"keys", "show"}, "accepts 1 arg(s), received 0\n  it is `tool keys show NAME`\n  see `tool keys show --help`"},
		{[]string{"keys", "show", "a", "--dept", "2"}, "unknown flag: --dept\n  did you mean --depth?\n  see `tool keys show --help`"},
		{[]string{"keys", "show", "a", "--depth", "x"}, "invalid argument \"x\" for \"--depth\" flag: strconv.ParseInt: parsing \"x\": invalid syntax\n" +
			"  see `tool keys show --help`"},
		{[]string{"keys", "read"}, "required flag(s) \"hash\" not set\n  see `tool keys read --help`"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			root := tree()
			root.SetArgs(append([]string{}, x.line...))
			err := root.Execute()
			var usage wrong
			switch {
			case x.want == "" && err != nil:
				t.Errorf("%q: %v", x.line, err)
			case x.want != "" && (err == nil || err.Error() != x.want || !errors.As(err, &usage)):
				t.Errorf("%q:\n got %v\nwant %s", x.line, err, x.want)
			}
		})
	}
}

// A group shows that it wants a command, and not that it runs by itself.
func TestHelp(t *testing.T) {
	root := tree()
	var out strings.Builder
	root.SetOut(&out)
	root.SetArgs([]string{"keys"})
	if err := root.Execute(); err != nil || !strings.Contains(out.String(), "Usage:\n  tool keys [command]\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
