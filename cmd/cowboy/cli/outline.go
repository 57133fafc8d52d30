package cli

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func (a *app) actorList() *cobra.Command {
	var creator, cursor string
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List the chain's actors", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usageError{fmt.Errorf("--limit is at least 1")}
			}
			query := url.Values{}
			if creator != "" {
				by, err := parseAddress(creator)
				if err != nil {
					return err
				}
				query.Set("creator", by.String())
			}
			list := wire.Actors{Actors: []wire.ListedActor{}, NextCursor: cursor}
			for first := true; first || list.NextCursor != "" && len(list.Actors) < limit; first = false {
				query.Set("cursor", list.NextCursor)
				query.Set("limit", fmt.Sprint(limit-len(list.Actors)))
				var page wire.Actors
				if err := a.node().Read(cmd.Context(), "/actors?"+query.Encode(), &page); err != nil {
					return err
				}
				list.Height, list.Actors, list.NextCursor = page.Height, append(list.Actors, page.Actors...), page.NextCursor
			}
			return a.show(list, "%s", a.listText(list))
		},
	}
	cmd.Flags().StringVar(&creator, "creator", "", "only those an account deployed")
	cmd.Flags().StringVar(&cursor, "cursor", "", "only those behind an address")
	cmd.Flags().IntVar(&limit, "limit", 50, "how many to show")
	return cmd
}

// listText shows actors, those of the project here with their names.
func (a *app) listText(list wire.Actors) string {
	names := projectNames()
	var b strings.Builder
	for _, actor := range list.Actors {
		fmt.Fprintf(&b, "%s  %-16s %14s CBY  %8d bytes  %4d timers  since block %d\n", actor.Address, names[actor.Address], unit.Amount(actor.Balance).CBY(),
			actor.StorageBytes, actor.TimerCount, actor.CreatedAt)
	}
	if list.NextCursor != "" {
		fmt.Fprintf(&b, "There are more: --cursor %s\n", list.NextCursor)
	}
	return b.String()
}

// document gives the interface of a file's actor, or of one on the chain; the file's if both could be meant.
func (a *app) document(cmd *cobra.Command, what string) (*outline.Document, error) {
	if _, err := os.Stat(what); err == nil {
		source, err := readSource(what)
		if err != nil {
			return nil, err
		}
		d, err := outline.Of(source)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", what, err)
		}
		return d, nil
	}
	address, err := parseAddress(what)
	if err != nil {
		if strings.HasSuffix(what, ".py") {
			return nil, fmt.Errorf("there is no file %s", what)
		}
		return nil, err
	}
	d := &outline.Document{}
	return d, a.node().Read(cmd.Context(), "/actor/"+address.String()+"/interface", d)
}

func (a *app) actorInterface() *cobra.Command {
	return &cobra.Command{
		Use: "interface ACTOR|FILE", Short: "Print an actor's handlers, read from its source", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := a.document(cmd, args[0])
			if err != nil {
				return err
			}
			return a.show(d, "%s", outlineText(d))
		},
	}
}

// outlineText shows a document as a person reads it.
func outlineText(d *outline.Document) string {
	var b strings.Builder
	indented := func(text, indent string) {
		for line := range strings.Lines(text) {
			fmt.Fprintf(&b, "%s%s\n", indent, unitext.PlainLine(strings.TrimSuffix(line, "\n")))
		}
	}
	if d.Name != "" {
		fmt.Fprintf(&b, "%s\n", unitext.PlainLine(d.Name))
	}
	indented(d.Doc, "  ")
	for _, h := range d.Handlers {
		text := h.Name + h.Signature()
		text += "  " + h.Mode
		switch h.Access {
		case outline.Listed:
			text += ", for " + strings.Join(h.Callers, ", ")
		case outline.Itself:
			text += ", for itself alone"
		case outline.Once:
			text += ", until it is initialized"
		}
		if !h.Payload {
			text += ", by call() of another actor"
		}
		fmt.Fprintf(&b, "\n%s\n", unitext.PlainLine(text))
		indented(h.Doc, "  ")
	}
	if len(d.Events) > 0 {
		fmt.Fprintf(&b, "\nEvents: %s\n", unitext.PlainLine(strings.Join(d.Events, ", ")))
	}
	if !d.Complete {
		b.WriteString("\nThere may be handlers that the source does not show: it makes some while it runs, or inherits them.\n")
	}
	return b.String()
}
