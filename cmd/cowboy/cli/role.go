package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Spec: CIP-2 §7.2 (33–35).
func (a *app) roleCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "role", Short: "Make roles (sets of actions in scopes) and assign them to addresses"}
	cmd.AddCommand(a.roleCreate(),
		a.onID("assign", "Give an address a role you made", "role", "to", func(id digest.Hash, to account.Address) tx.Instruction {
			return &tx.AssignRole{Role: id, Assignee: to}
		}),
		a.onID("revoke", "Take a role from an address, or give up yours", "role", "from", func(id digest.Hash, from account.Address) tx.Instruction {
			return &tx.RevokeRole{Role: id, Assignee: from}
		}),
		a.roleList())
	return cmd
}

func (a *app) roleCreate() *cobra.Command {
	var name string
	var scopes, actions []string
	var terms termFlags
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "create", Short: "Make a role", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := &tx.CreateRole{Name: []byte(name)}, error(nil)
			for _, text := range scopes {
				s, err := scopeOf(text)
				if err != nil {
					return err
				}
				in.Scopes = append(in.Scopes, s)
			}
			for _, text := range actions {
				x, err := actionOf(text)
				if err != nil {
					return err
				}
				in.Actions = append(in.Actions, x)
			}
			if in.Constraints, err = terms.terms(false); err != nil {
				return err
			}
			slices.SortFunc(in.Scopes, func(x, y grant.Scope) int { return slices.Compare(x.Append(nil), y.Append(nil)) })
			slices.SortFunc(in.Actions, func(x, y grant.Action) int { return slices.Compare(x.Append(nil), y.Append(nil)) })
			own, err := a.addressFlag("")
			if err != nil {
				return err
			}
			return a.sendNamed(cmd, flags, in, "Role", grant.RoleID(own, name))
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "its name, which none of your other roles has")
	cmd.Flags().StringArrayVar(&scopes, "scope", nil, scopeHelp+"; again for more")
	cmd.Flags().StringArrayVar(&actions, "action", nil, actionHelp+"; again for more")
	require(cmd, "name", "scope", "action")
	terms.register(cmd, false)
	flags.register(cmd, registryCycles, registryCells)
	return cmd
}

func (a *app) roleList() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "list", Short: "Print the roles of an address", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			var all wire.Roles
			if err := a.node().Read(cmd.Context(), "/roles/"+addr.String(), &all); err != nil {
				return err
			}
			var b strings.Builder
			for _, r := range all.Roles {
				fmt.Fprintf(&b, "%s  %s  %s  %s\n", r.ID, r.Name, strings.Join(r.Scopes, ","), strings.Join(r.Actions, ","))
			}
			return a.show(all, "%s", b.String())
		},
	}
	cmd.Flags().StringVar(&address, "address", "", "whose (default: the wallet's)")
	return cmd
}
