package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/spelling"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// payloadFlags are the three ways of giving a payload.
type payloadFlags struct{ hex, text, json string }

func (p *payloadFlags) register(cmd *cobra.Command, hexName string) {
	cmd.Flags().StringVar(&p.hex, hexName, "7b7d", "payload in hex, or @file")
	cmd.Flags().StringVar(&p.text, "payload-text", "", "payload as text")
	cmd.Flags().StringVar(&p.json, "payload-json", "", "payload as JSON, checked")
	cmd.MarkFlagsMutuallyExclusive(hexName, "payload-text", "payload-json")
}

func (p *payloadFlags) read() ([]byte, error) {
	switch {
	case p.json != "":
		return jsonPayload(p.json)
	case p.text != "":
		return []byte(p.text), nil
	}
	return hexOrFile("payload", p.hex)
}

// actorQuery runs a handler on a committed state. Nobody signs, nobody pays.
func (a *app) actorQuery() *cobra.Command {
	var actor, handler string
	var at, cycles uint64
	payload := &payloadFlags{}
	cmd := &cobra.Command{
		Use: "query", Short: "Run a read-only handler of an actor, free of charge", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(actor)
			if err != nil {
				return err
			}
			data, err := payload.read()
			if err != nil {
				return err
			}
			q := wire.ReadRequest{Selector: handler, Payload: hex.EncodeToString(data), MaxCycles: cycles}
			if cmd.Flags().Changed("at") {
				q.BlockHeight = &at
			}
			var reply wire.ReadReply
			body, err := json.Marshal(q)
			if err != nil {
				return err
			}
			if err := a.node().Do(cmd.Context(), http.MethodPost, "/actor/"+target.String()+"/read_handler", "application/json", body, &reply); err != nil {
				return a.explained(err)
			}
			return a.show(reply, "%s", readText(reply))
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "actor's address")
	cmd.Flags().StringVar(&handler, "handler", "", "handler's name")
	cmd.Flags().Uint64Var(&at, "at", 0, "read the state after this block (default: the newest final one)")
	cmd.Flags().Uint64Var(&cycles, "cycles-limit", 0, "most cycles to use (default: the node's)")
	payload.register(cmd, "payload-hex")
	require(cmd, "actor", "handler")
	return cmd
}

func readText(r wire.ReadReply) string {
	text := printsText(r.Printed)
	switch {
	case r.ResultText != "":
		text += "Returned: " + r.ResultText + "\n"
	case r.Result != "":
		text += "Returned: 0x" + r.Result + "\n"
	default:
		text += "Returned: nothing\n"
	}
	return text + fmt.Sprintf("Block: %d\nCycles used: %d\n", r.BlockHeight, r.CyclesUsed)
}

// printsText shows what actors printed, a line each, with who printed it.
func printsText(list []host.Print) string {
	var b strings.Builder
	for _, p := range list {
		for line := range strings.Lines(p.Text) {
			fmt.Fprintf(&b, "Printed: %s %s\n", p.Actor, unitext.PlainLine(strings.TrimSuffix(line, "\n")))
		}
	}
	return b.String()
}

// explained adds to a refusal where the handler failed and what was printed.
func (a *app) explained(err error) error {
	var status *api.StatusError
	if !errors.As(err, &status) || a.asJSON {
		return err
	}
	var told struct {
		Failure *host.Failure `json:"failure"`
		Missing *host.Missing `json:"missing"`
		Printed []host.Print  `json:"printed"`
	}
	raw, failed := json.Marshal(status.Reply.Context)
	if failed != nil || json.Unmarshal(raw, &told) != nil {
		return err
	}
	text := unitext.PlainLine(status.Reply.Why)
	if notes := printsText(told.Printed) + a.failureText(told.Failure) + missingText(told.Missing); notes != "" {
		text += "\n" + strings.TrimSuffix(notes, "\n")
	}
	return errors.New(text)
}

// failureText is a traceback with the files of the project's own actors; "" for none.
func (a *app) failureText(f *host.Failure) string {
	if f == nil || len(f.Places) == 0 {
		return ""
	}
	var files map[string]string
	if config, err := findProject(); err == nil {
		files = config.ActorFiles()
	}
	return f.Render(func(actor account.Address) string { return files[strings.ToLower(actor.String())] })
}

// missingText names the handlers that an actor has.
func missingText(m *host.Missing) string {
	if m == nil {
		return ""
	}
	if len(m.Has) == 0 {
		return fmt.Sprintf("%s has no handlers\n", m.Actor)
	}
	text := fmt.Sprintf("%s has: %s\n", m.Actor, strings.Join(m.Has, ", "))
	if near := spelling.Nearest(m.Handler, m.Has, max(len(m.Handler)/3, 1)); near != "" {
		text += fmt.Sprintf("did you mean %s?\n", near)
	}
	return text
}

// why asks the node where an execution failed; an answer that does not come leaves the receipt as it is.
func (a *app) why(ctx context.Context, hash string) (e wire.Explanation) {
	_ = a.node().Read(ctx, "/explain/"+hash, &e)
	return e
}

// whyText is what an explanation adds to a receipt.
func (a *app) whyText(e wire.Explanation) string {
	return printsText(e.Printed) + a.failureText(e.Failure) + missingText(e.Missing)
}
