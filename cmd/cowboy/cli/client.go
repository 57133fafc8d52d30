package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/bindings"
)

// clientCommand writes typed clients.
func (a *app) clientCommand() *cobra.Command {
	var lang, output, name string
	cmd := &cobra.Command{
		Use: "client ACTOR|FILE", SuggestFor: []string{"bindings", "generate", "abigen"}, Short: "Write a typed client of an actor", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := a.document(cmd, args[0])
			if err != nil {
				return err
			}
			if name == "" {
				name = clientName(args[0], d.Name)
			}
			file, text, err := bindings.Generate(bindings.Language(lang), d, name)
			if errors.Is(err, bindings.ErrLanguage) {
				return usageError{fmt.Errorf("--lang %q: %w", lang, err)}
			}
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if err := os.MkdirAll(output, 0o755); err != nil {
				return err
			}
			path := filepath.Join(output, file)
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
			return a.show(map[string]any{"file": path, "complete": d.Complete}, "Wrote %s\n", path)
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "", strings.Join(bindings.Languages(), ", "))
	cmd.Flags().StringVarP(&output, "output", "o", ".", "directory of the file; one that is there is replaced")
	cmd.Flags().StringVar(&name, "name", "", "of the package or module (default: the actor's)")
	require(cmd, "lang")
	return cmd
}

// clientName is what a client is called: as the actor is here, or as its class or its file's folder.
func clientName(what, class string) string {
	if _, err := account.ReadAddress(what); err != nil && !strings.HasSuffix(what, ".py") {
		return what
	}
	if class != "" {
		return class
	}
	base := strings.TrimSuffix(filepath.Base(what), ".py")
	if base == "main" {
		base = filepath.Base(filepath.Dir(what))
	}
	return base
}
