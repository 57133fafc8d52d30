package cli

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// The limits of the registry's transactions, in cycles and cells: the dearest takes 26,000 and 500, and its calldata.
const (
	registryCycles = 30_000
	registryCells  = 3_000
)

// Help about scopes and actions.
const (
	scopeHelp  = "global, actor:ADDRESS, token:ID, runner:ADDRESS, pool:NAME or namespace:NAME"
	actionHelp = "all, use-owner-balance, actor-execute-handler:NAME, runner-join-pool:NAME, custom:NAME, …"
)

// Spec: node-rpc-cli §4.2; sdk §20.2.
func (a *app) entitlementCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "entitlement", Short: "Grant other addresses actions in a scope, revoke grants, and list them",
		Long: "The Entitlement Registry keeps who may do which action in which scope.\n\n" +
			"  scopes:  " + scopeHelp + "\n  actions: " + actionHelp + "\n\n" +
			"An actor's scope is its own and its deployer's, an account's its own. What is granted with --delegatable may be delegated in part.",
	}
	cmd.AddCommand(a.entitlementGrant(), a.entitlementRevoke(), a.entitlementDelegate(), a.entitlementCheck(), a.entitlementList(), a.entitlementShow())
	return cmd
}

// termFlags are the flags of constraints.
type termFlags struct {
	from, until, uses, perUse, total, rate string
	delegatable, fixed                     bool
	depth                                  uint8
}

// register adds the flags; a role cannot be delegated.
func (f *termFlags) register(cmd *cobra.Command, delegated bool) {
	flags, units := cmd.Flags(), ", in base units"
	if cmd.Name() == "grant" {
		units = ", in CBY for use-owner-balance and system-transfer, else in the token's units"
	}
	flags.StringVar(&f.from, "valid-from", "", "first height (default: at once)")
	flags.StringVar(&f.until, "valid-until", "", "last height (default: for ever)")
	flags.StringVar(&f.uses, "max-uses", "", "how often it may be used (default: without end)")
	flags.StringVar(&f.perUse, "max-amount-per-use", "", "most that one use may move (default: any amount)"+units)
	flags.StringVar(&f.total, "max-total-amount", "", "most that all uses may move (default: any amount)"+units)
	flags.StringVar(&f.rate, "rate-limit", "", "CALLS/BLOCKS: so many uses in so many blocks (default: any)")
	flags.BoolVar(&f.fixed, "irrevocable", false, "for good: only its holder can give it up")
	if delegated {
		flags.BoolVar(&f.delegatable, "delegatable", false, "the grantee may delegate it, --depth levels deep")
		flags.Uint8Var(&f.depth, "depth", 0, "how many levels deep it may be delegated, at most 5")
	}
}

// terms reads the flags; coins says that amounts are in CBY.
func (f *termFlags) terms(coins bool) (t grant.Terms, err error) {
	t.Delegatable, t.Revocable, t.DelegationDepthMax = f.delegatable, !f.fixed, f.depth
	amount := whole
	if coins {
		amount = func(_, text string) (uint64, error) {
			n, err := parseCBY(text)
			return uint64(n), err
		}
	}
	for _, x := range []struct {
		name, text string
		read       func(flag, text string) (uint64, error)
		to         **uint64
	}{
		{"valid-from", f.from, whole, &t.ValidFrom}, {"valid-until", f.until, whole, &t.ValidUntil},
		{"max-amount-per-use", f.perUse, amount, &t.MaxAmountPerUse}, {"max-total-amount", f.total, amount, &t.MaxTotalAmount},
	} {
		if x.text == "" {
			continue
		}
		n, err := x.read(x.name, x.text)
		if err != nil {
			return t, err
		}
		*x.to = &n
	}
	if f.uses != "" {
		if t.MaxUses, err = whole("max-uses", f.uses); err != nil {
			return t, err
		}
	}
	if f.rate != "" {
		calls, blocks, _ := strings.Cut(f.rate, "/")
		if t.MaxCalls, err = whole("rate-limit", calls); err == nil {
			t.PerBlocks, err = whole("rate-limit", blocks)
		}
	}
	return t, err
}

func whole(flag, text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, usageError{fmt.Errorf("--%s: %q is not a whole number", flag, text)}
	}
	return n, nil
}

func identityOf(flag, text string) (digest.Hash, error) {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(raw) != len(digest.Hash{}) {
		return digest.Hash{}, usageError{fmt.Errorf("--%s: %q is not an identity of 64 hex digits", flag, text)}
	}
	return digest.Hash(raw), nil
}

func scopeOf(text string) (grant.Scope, error) {
	s, err := grant.ParseScope(text)
	if err != nil {
		return s, usageError{fmt.Errorf("%q is no scope: there are %s", text, scopeHelp)}
	}
	return s, nil
}

func actionOf(text string) (grant.Action, error) {
	x, err := grant.ParseAction(text)
	if err != nil {
		return x, usageError{fmt.Errorf("%q is no action: there are %s", text, actionHelp)}
	}
	return x, nil
}

// scopeFlags name a scope: by --scope, or --scope-actor as published clients have it.
type scopeFlags struct{ scope, actor string }

func (f *scopeFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.scope, "scope", "", scopeHelp)
	cmd.Flags().StringVar(&f.actor, "scope-actor", "", "the scope of an actor or an account, by its address")
	cmd.MarkFlagsMutuallyExclusive("scope", "scope-actor")
	cmd.MarkFlagsOneRequired("scope", "scope-actor")
}

func (f *scopeFlags) read() (grant.Scope, error) {
	if f.actor == "" {
		return scopeOf(f.scope)
	}
	addr, err := parseAddress(f.actor)
	return grant.ActorScope(addr), err
}

func (a *app) entitlementGrant() *cobra.Command {
	var grantee, action string
	var where scopeFlags
	var terms termFlags
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "grant", Short: "Let an address do something in a scope", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := &tx.EntitlementGrant{}, error(nil)
			if in.Grantee, err = parseAddress(grantee); err != nil {
				return err
			}
			if in.Scope, err = where.read(); err != nil {
				return err
			}
			if in.Action, err = actionOf(action); err != nil {
				return err
			}
			if in.Constraints, err = terms.terms(in.Action.Kind == grant.UseOwnerBalance || in.Action.Kind == grant.SystemTransfer); err != nil {
				return err
			}
			id := (&grant.Record{Grantee: in.Grantee, Scope: in.Scope, Action: in.Action}).ID()
			return a.sendNamed(cmd, flags, in, "Entitlement", id)
		},
	}
	cmd.Flags().StringVar(&grantee, "grantee", "", "who may do it")
	cmd.Flags().StringVar(&action, "action", "", actionHelp)
	require(cmd, "grantee", "action")
	where.register(cmd)
	terms.register(cmd, true)
	flags.register(cmd, registryCycles, registryCells)
	return cmd
}

// sendNamed sends an instruction that makes something, whose identity it prints first.
func (a *app) sendNamed(cmd *cobra.Command, flags *sendFlags, in tx.Instruction, what string, id digest.Hash) error {
	result, err := a.send(cmd.Context(), flags, in)
	if err != nil {
		return err
	}
	return a.showSent(result, what+": "+wire.Hash(id)+"\n", "")
}

// onID is a command that sends an instruction about an identity, and perhaps an address.
func (a *app) onID(use, short, flag, party string, in func(id digest.Hash, of account.Address) tx.Instruction) *cobra.Command {
	var id, of string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := identityOf(flag, id)
			var addr account.Address
			if err == nil && party != "" {
				addr, err = parseAddress(of)
			}
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in(hash, addr))
		},
	}
	cmd.Flags().StringVar(&id, flag, "", "its identity, 64 hex digits")
	require(cmd, flag)
	if party != "" {
		cmd.Flags().StringVar(&of, party, "", "whose address")
		require(cmd, party)
	}
	flags.register(cmd, registryCycles, registryCells)
	return cmd
}

func (a *app) entitlementRevoke() *cobra.Command {
	return a.onID("revoke", "End a grant and all that was delegated from it, or give up what you have", "id", "",
		func(id digest.Hash, _ account.Address) tx.Instruction { return &tx.EntitlementRevoke{ID: id} })
}

func (a *app) entitlementDelegate() *cobra.Command {
	var id, to string
	var terms termFlags
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "delegate", Short: "Pass on a grant of yours, or a part of it", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := &tx.EntitlementDelegate{}, error(nil)
			if in.ID, err = identityOf("id", id); err != nil {
				return err
			}
			if in.Delegatee, err = parseAddress(to); err != nil {
				return err
			}
			if in.Constraints, err = terms.terms(false); err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "identity of what you were granted")
	cmd.Flags().StringVar(&to, "to", "", "who gets it")
	require(cmd, "id", "to")
	terms.register(cmd, true)
	flags.register(cmd, registryCycles, registryCells)
	return cmd
}

func (a *app) entitlementCheck() *cobra.Command {
	var grantee, action string
	var where scopeFlags
	cmd := &cobra.Command{
		Use: "check", Short: "Ask whether an address may do something in a scope", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.addressFlag(grantee)
			if err != nil {
				return err
			}
			s, err := where.read()
			if err != nil {
				return err
			}
			x, err := actionOf(action)
			if err != nil {
				return err
			}
			return a.entitled(cmd, addr, s, x)
		},
	}
	cmd.Flags().StringVar(&grantee, "grantee", "", "whose address (default: the wallet's)")
	cmd.Flags().StringVar(&action, "action", "", actionHelp)
	require(cmd, "action")
	where.register(cmd)
	return cmd
}

func (a *app) entitled(cmd *cobra.Command, addr account.Address, s grant.Scope, x grant.Action) error {
	var answer wire.Entitled
	query := url.Values{"scope": {s.String()}, "action": {x.String()}}
	if err := a.node().Read(cmd.Context(), "/entitled/"+addr.String()+"?"+query.Encode(), &answer); err != nil {
		return err
	}
	return a.show(answer, "%s\n", map[bool]string{true: "yes", false: "no"}[answer.Entitled])
}

func (a *app) entitlementList() *cobra.Command {
	var address string
	var given bool
	cmd := &cobra.Command{
		Use: "list", Short: "Print what an address was granted, or what it granted", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			by := ""
			if given {
				by = "?by=grantor"
			}
			var all wire.Grants
			err = pages(cmd.Context(), a, "/entitlements/"+addr.String()+by, func(page *wire.Grants) string {
				page.Entitlements = append(all.Entitlements, page.Entitlements...)
				all = *page
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var b strings.Builder
			for _, x := range all.Entitlements {
				fmt.Fprintf(&b, "%s  %-9s %s  %s  %s\n", x.ID, x.Status, x.Grantee, x.Scope, x.Action)
			}
			return a.show(all, "%s", b.String())
		},
	}
	cmd.Flags().StringVar(&address, "address", "", "whose (default: the wallet's)")
	cmd.Flags().BoolVar(&given, "given", false, "print what the address granted and delegated to others")
	return cmd
}

func (a *app) entitlementShow() *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "show", Short: "Print a grant with its constraints", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := identityOf("id", id)
			if err != nil {
				return err
			}
			var x wire.Grant
			if err := a.node().Read(cmd.Context(), "/entitlement/"+wire.Hash(hash), &x); err != nil {
				return err
			}
			return a.showJSON(x)
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "its identity, 64 hex digits")
	require(cmd, "id")
	return cmd
}
