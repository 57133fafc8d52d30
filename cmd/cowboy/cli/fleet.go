package cli

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// devFleetCommands tell the runners that a development network runs itself what to do, each until it is told otherwise.
func (a *app) devFleetCommands() []*cobra.Command {
	var by time.Duration
	late := a.devBehave("delay", "Have runner N give its results late")
	late.Flags().DurationVar(&by, "by", 10*time.Second, "how late each result is, an hour at most")
	late.RunE = func(cmd *cobra.Command, args []string) error {
		return a.behave(cmd, args[0], wire.DevConduct{Conduct: "delay", DelayMs: uint64(max(by, 0) / time.Millisecond)})
	}
	return []*cobra.Command{
		a.devFleet(), late,
		a.devBehave("honest", "Have runner N work as it should again"),
		a.devBehave("diverge", "Have runner N give other results than its tools gave"),
		a.devBehave("fail", "Have runner N say that its jobs cannot be done"),
		a.devBehave("lie", "Have runner N reveal another result than the one it committed itself to"),
		a.devBehave("away", "Have runner N be away: it sends nothing, and the chain hears no heartbeat"),
	}
}

func (a *app) devBehave(conduct, short string) *cobra.Command {
	return &cobra.Command{
		Use: conduct + " N", Short: short, Args: cobra.ExactArgs(1),
		Long: short + ". This is for networks that run runners themselves: `cowboyd --runners 5`, `cowboyd devnet --runners 5`.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.behave(cmd, args[0], wire.DevConduct{Conduct: conduct})
		},
	}
}

func (a *app) behave(cmd *cobra.Command, number string, c wire.DevConduct) error {
	if _, err := strconv.ParseUint(number, 10, 16); err != nil {
		return usageError{fmt.Errorf("%q is not the number of a runner; `cowboy dev runner fleet` lists them", number)}
	}
	var all wire.DevFleet
	if err := a.dev(cmd.Context(), http.MethodPost, "/dev/runners/"+number, c, &all); err != nil {
		return err
	}
	return a.show(all, "%s", fleetText(&all))
}

func (a *app) devFleet() *cobra.Command {
	return &cobra.Command{
		Use: "fleet", Short: "List the runners the network runs itself, what they do, and the servers that stand in", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all wire.DevFleet
			if err := a.dev(cmd.Context(), http.MethodGet, "/dev/runners", nil, &all); err != nil {
				return err
			}
			return a.show(all, "%s", fleetText(&all))
		},
	}
}

func fleetText(all *wire.DevFleet) string {
	var text strings.Builder
	for _, r := range all.Runners {
		fmt.Fprintf(&text, "Runner %d: %s %s", r.Number, r.Address, r.Conduct)
		if r.DelayMs > 0 {
			fmt.Fprintf(&text, " by %v", time.Duration(r.DelayMs)*time.Millisecond)
		}
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "Model: %s\nTools: %s\nSite: %s\n", all.Model, all.Tools, all.Site)
	return text.String()
}
