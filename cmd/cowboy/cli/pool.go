package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Spec: CIP-2 §7.3.
func (a *app) poolCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "pool", Short: "Admit runners to a pool, and check membership",
		Long: "A pool is a list of runners under a name. A name that begins with an address in hex is that address's pool; `cowboy pool name` makes one\n" +
			"of yours. All other names are governance's.",
	}
	cmd.AddCommand(a.poolName(), a.poolAdmit(), a.poolDismiss(), a.poolCheck())
	return cmd
}

func (a *app) poolName() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "name", Short: "Print the name of a pool of yours", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			own, err := a.addressFlag("")
			if err != nil {
				return err
			}
			s := grant.PoolScope(grant.OwnedName(own, name))
			if s.Check() != nil {
				return usageError{fmt.Errorf("a name has at most %d bytes, 20 of which are your address", grant.MaxNameBytes)}
			}
			_, text, _ := strings.Cut(s.String(), ":")
			return a.show(map[string]string{"pool": text}, "%s\n", text)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what stands behind your address")
	return cmd
}

// poolOf reads a pool's name, and gives its scope and what its members may do in it.
func poolOf(text string) (grant.Scope, grant.Action, error) {
	s, err := grant.ParseScope("pool:" + text)
	if err != nil {
		return s, grant.Action{}, usageError{fmt.Errorf("--pool: %q is no name of 1 to %d bytes", text, grant.MaxNameBytes)}
	}
	return s, grant.JoinPool(s.Value), nil
}

// onMember is a command that sends an instruction about a runner in a pool.
func (a *app) onMember(cmd *cobra.Command, in func(runner account.Address, s grant.Scope, x grant.Action) (tx.Instruction, error)) *cobra.Command {
	var pool, runner string
	flags := &sendFlags{}
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, x, err := poolOf(pool)
		if err != nil {
			return err
		}
		addr, err := parseAddress(runner)
		if err != nil {
			return err
		}
		made, err := in(addr, s, x)
		if err != nil {
			return err
		}
		return a.sendAndShow(cmd.Context(), flags, made)
	}
	cmd.Flags().StringVar(&pool, "pool", "", "the pool's name, in hex with 0x where it is no text")
	cmd.Flags().StringVar(&runner, "runner", "", "the runner's address")
	require(cmd, "pool", "runner")
	flags.register(cmd, registryCycles, registryCells)
	return cmd
}

func (a *app) poolAdmit() *cobra.Command {
	var until string
	cmd := a.onMember(&cobra.Command{Use: "admit", Short: "Make a runner a member of a pool"},
		func(runner account.Address, s grant.Scope, x grant.Action) (tx.Instruction, error) {
			terms := termFlags{until: until}
			t, err := terms.terms(false)
			return &tx.EntitlementGrant{Grantee: runner, Scope: s, Action: x, Constraints: t}, err
		})
	cmd.Flags().StringVar(&until, "valid-until", "", "last height of the membership (default: for ever)")
	return cmd
}

func (a *app) poolDismiss() *cobra.Command {
	return a.onMember(&cobra.Command{Use: "dismiss", Short: "Take a runner out of a pool"},
		func(runner account.Address, s grant.Scope, x grant.Action) (tx.Instruction, error) {
			return &tx.EntitlementRevoke{ID: (&grant.Record{Grantee: runner, Scope: s, Action: x}).ID()}, nil
		})
}

func (a *app) poolCheck() *cobra.Command {
	var pool, runner string
	cmd := &cobra.Command{
		Use: "check", Short: "Ask whether a runner is a member of a pool", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, x, err := poolOf(pool)
			if err != nil {
				return err
			}
			addr, err := a.addressFlag(runner)
			if err != nil {
				return err
			}
			return a.entitled(cmd, addr, s, x)
		},
	}
	cmd.Flags().StringVar(&pool, "pool", "", "the pool's name")
	cmd.Flags().StringVar(&runner, "runner", "", "the runner's address (default: the wallet's)")
	require(cmd, "pool")
	return cmd
}
