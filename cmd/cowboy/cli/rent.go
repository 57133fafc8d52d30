package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of rent's transactions, in cycles and cells.
const (
	rentCycles = 30_000
	rentCells  = 1_000
)

// Spec: rent §5, §10; WP-January "Rent Payment Options".
func (a *app) rentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rent", Short: "Look at and pay the rent of actors' storage",
		Long: "An actor pays rent for each byte beyond the first 10,240, once in a rent epoch, from its balance. One that cannot pay has\n" +
			"seven epochs of grace and three of warning; then its storage is removed, and it comes back with `cowboy actor restore`.",
	}
	cmd.AddCommand(a.rentStatus(), a.rentPay("prepay", "Pay rent epochs in advance from the wallet"),
		a.rentPay("sponsor", "Pay another actor's rent epochs, and its debt, from the wallet"), a.rentSettle(), a.rentQuota())
	return cmd
}

func (a *app) rentStatus() *cobra.Command {
	var actor string
	cmd := &cobra.Command{
		Use: "status", Short: "Print an actor's rent, and until when it is paid", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			var r wire.Rent
			if err := a.node().Read(cmd.Context(), "/actor/"+addr.String()+"/rent", &r); err != nil {
				return err
			}
			if a.asJSON {
				return a.showJSON(r)
			}
			fmt.Fprint(a.out, rentText(r))
			return nil
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor's address")
	require(cmd, "actor")
	return cmd
}

func cby(n uint64) string { return unit.Amount(n).CBY() + " CBY" }

// rentText says in words what an actor's rent is.
func rentText(r wire.Rent) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("State: %s", strings.ReplaceAll(r.State, "_", " "))
	line("Size: %d bytes of a quota of %d for storage", r.Bytes, r.Quota)
	line("Rent: %s an epoch, %s a year; epoch %d ends before block %d", cby(r.EpochRent), cby(r.YearRent), r.Epoch, r.EpochEnds)
	switch {
	case r.State == "dormant":
	case r.Missed > 0:
		line("Missed: %d epochs of the %d it survives; %s pay them off", r.Missed, r.Survives, cby(r.Payoff))
	case r.BalanceEpochs == nil:
		line("Paid: it is small enough to pay no rent")
	default:
		line("Paid: through epoch %d; the balance lasts %d more", r.PaidThrough, *r.BalanceEpochs)
	}
	line("Balance: %s, of which %s are kept for rent", cby(r.Balance), cby(min(r.Balance, r.Reserve)))
	if r.Bond > 0 {
		line("Bond: %s", cby(r.Bond))
	}
	if d := r.Dormant; d != nil && !d.Pruned {
		line("Its storage is being removed.")
	} else if d != nil {
		line("Storage: %d entries, %d bytes, removed; restoring them costs %s", d.Entries, d.Bytes, cby(d.Cost))
		if d.Restored > 0 {
			line("Restored: %d of %d entries", d.Restored, d.Entries)
		}
	}
	return text.String()
}

func (a *app) rentPay(name, short string) *cobra.Command {
	var actor string
	var epochs uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		Long: short + ".\n\nA debt is paid first, with its surcharge; --epochs 0 pays the debt alone. What is paid does not come back.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.PayRent{Actor: addr, Epochs: epochs})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor's address")
	cmd.Flags().Uint64Var(&epochs, "epochs", 0, "how many rent epochs")
	require(cmd, "actor", "epochs")
	flags.register(cmd, rentCycles, rentCells)
	return cmd
}

func (a *app) rentSettle() *cobra.Command {
	return a.onActor(&cobra.Command{Use: "settle", Short: "Bill an actor now, and pay its debt from its balance as far as that goes"},
		func(addr account.Address) tx.Instruction { return &tx.SettleActorRent{Actor: addr} })
}

func (a *app) rentQuota() *cobra.Command {
	var bytes uint64
	cmd := a.onActor(&cobra.Command{
		Use: "quota", Short: "Change how many bytes an actor of yours may store",
		Long: "Beyond 1 MiB each byte takes a bond from the wallet, which comes back when the quota is lowered, and rent is due on the whole quota.",
	}, func(addr account.Address) tx.Instruction { return &tx.SetActorQuota{Actor: addr, QuotaBytes: bytes} })
	cmd.Flags().Uint64Var(&bytes, "bytes", 0, "1048576 to 8388608")
	require(cmd, "bytes")
	return cmd
}

// onActor is a command that sends an instruction about an actor.
func (a *app) onActor(cmd *cobra.Command, in func(addr account.Address) tx.Instruction) *cobra.Command {
	var actor string
	flags := &sendFlags{}
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		addr, err := parseAddress(actor)
		if err != nil {
			return err
		}
		return a.sendAndShow(cmd.Context(), flags, in(addr))
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor's address")
	require(cmd, "actor")
	flags.register(cmd, rentCycles, rentCells)
	return cmd
}
