package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// group reads one group of the governed parameters from the chain; the others are those of a genesis.
func (a *app) group(ctx context.Context, key string) (*params.Params, error) {
	p := params.Genesis()
	var v wire.Value
	path := "/state/" + account.System(account.Governance).String() + "/" + hex.EncodeToString([]byte(key))
	if err := a.node().Read(ctx, path, &v); err != nil || v.Value == nil {
		return p, err
	}
	raw, err := hex.DecodeString(trimmed(*v.Value))
	if err == nil {
		err = p.Replace(key, raw)
	}
	return p, err
}

// settings makes of --set what --param and --value would be: the group as it is on the chain, with what is set in it.
func (a *app) settings(ctx context.Context, m *motion) error {
	var p *params.Params
	for _, text := range m.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return usageError{fmt.Errorf("--set %q is not NAME=VALUE", text)}
		}
		key := keyOf(name)
		switch {
		case key == "":
			return usageError{fmt.Errorf("there is no parameter %q; `cowboy gov parameters` lists them", name)}
		case m.param != "" && key != m.param:
			return usageError{fmt.Errorf("%s is of the group %s, and a proposal changes one: %s", name, key, m.param)}
		case m.param == "":
			var err error
			if p, err = a.group(ctx, key); err != nil {
				return err
			}
			m.param = key
		}
		if _, err := wire.SetParameter(p, name, value); err != nil {
			return usageError{err}
		}
	}
	if p == nil {
		return nil
	}
	if err := p.Validate(); err != nil {
		return usageError{err}
	}
	for _, g := range p.Groups() {
		if g.Key == m.param {
			m.value = hex.EncodeToString(g.Value)
		}
	}
	return nil
}

// keyOf is the governance key of the group that a parameter or a group is named by, or "".
func keyOf(name string) string {
	name = strings.ToLower(name)
	for _, p := range wire.ParametersOf(params.Genesis()) {
		field := strings.ToLower(p.Name)
		if field == name || strings.HasPrefix(field, name+".") || strings.HasPrefix(name, field+"[") {
			return p.Key
		}
	}
	return ""
}

func (a *app) govParameters() *cobra.Command {
	return &cobra.Command{
		Use: "parameters [WORD]", Short: "Print the governed parameters of the next block, those with WORD in their name or key",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all, found []wire.Parameter
			if err := a.node().Read(cmd.Context(), "/parameters", &all); err != nil {
				return err
			}
			var b strings.Builder
			for _, p := range all {
				if len(args) > 0 && !strings.Contains(strings.ToLower(p.Name+" "+p.Key), strings.ToLower(args[0])) {
					continue
				}
				found = append(found, p)
				fmt.Fprintf(&b, "%-36s %-24s %s\n", p.Name, p.Value, p.Key)
			}
			if len(found) == 0 {
				return fmt.Errorf("no parameter has %q in its name or key; `cowboy gov parameters` lists them all", strings.Join(args, " "))
			}
			return a.show(found, "%s", b.String())
		},
	}
}

func (a *app) govHistory() *cobra.Command {
	return &cobra.Command{
		Use: "history GROUP", Short: "Print the values that a group of parameters got, by its key or by the name of one of them", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key := args[0]
			if named := keyOf(key); named != "" {
				key = named
			}
			all := wire.ParameterHistory{Key: key}
			var b strings.Builder
			err := pages(cmd.Context(), a, "/parameters/history?key="+url.QueryEscape(key), func(page *wire.ParameterHistory) string {
				all.ConfigVersion, all.Changes = page.ConfigVersion, append(all.Changes, page.Changes...)
				return page.NextCursor
			})
			if api.NotFound(err) {
				return fmt.Errorf("nothing is stored under %q; `cowboy gov parameters` lists the groups", key)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s, %d changes; the configuration has version %d\n", key, len(all.Changes), all.ConfigVersion)
			for _, c := range all.Changes {
				fmt.Fprintf(&b, "version %d, block %d, by %s, transaction %s\n", c.Version, c.Height, c.By, c.Tx)
				if len(c.Parameters) == 0 {
					fmt.Fprintf(&b, "  %s\n", c.Value)
				}
				for _, p := range c.Parameters {
					fmt.Fprintf(&b, "  %s = %s\n", p.Name, p.Value)
				}
			}
			return a.show(all, "%s", b.String())
		},
	}
}

func (a *app) govQueue() *cobra.Command {
	return &cobra.Command{
		Use: "queue", Short: "Print the proposals that wait for the end of their timelock or for whoever executes them", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b strings.Builder
			queued := []wire.Proposal{}
			err := pages(cmd.Context(), a, "/governance/proposals?limit=1000", func(page *wire.Proposals) string {
				for _, p := range page.Proposals {
					if p.Status != "Queued" {
						continue
					}
					queued = append(queued, p)
					state := fmt.Sprintf("to be executed from block %d to %d", p.ExecutableAt, p.RetryUntil)
					if p.ExecutableAt <= page.Height+1 {
						state = fmt.Sprintf("to be executed now, until block %d", p.RetryUntil)
					}
					fmt.Fprintf(&b, "%6d  tier %d  %-20s  %s\n", p.ID, p.Tier, p.Kind, state)
				}
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			return a.show(queued, "%s", b.String())
		},
	}
}
