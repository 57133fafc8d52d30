package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// eventsCommand follows the node's stream until it is interrupted.
func (a *app) eventsCommand() *cobra.Command {
	var actor, topic, from string
	var blocks bool
	cmd := &cobra.Command{
		Use: "events", Short: "Follow actor events as they are finalized", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := url.Values{"kinds": {"events"}}
			if blocks {
				q.Set("kinds", "blocks,events")
			}
			if actor != "" {
				target, err := parseAddress(actor)
				if err != nil {
					return err
				}
				q.Set("actor", target.String())
			}
			if topic != "" {
				q.Set("topic", topic)
			}
			if from != "" {
				q.Set("cursor", from)
			}
			return a.follow(cmd.Context(), a.url()+"/stream?"+q.Encode())
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "only this actor's events")
	cmd.Flags().StringVar(&topic, "topic", "", "only events with this topic")
	cmd.Flags().StringVar(&from, "cursor", "", "start after this cursor")
	cmd.Flags().BoolVar(&blocks, "blocks", false, "blocks too")
	return cmd
}

func (a *app) follow(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("no node answers at %s", a.url())
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		var failure wire.Error
		_ = json.NewDecoder(resp.Body).Decode(&failure)
		return &failure
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 8<<20)
	kind := ""
	for lines.Scan() {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "event: "); ok {
			kind = text
		} else if text, ok := strings.CutPrefix(line, "data: "); ok {
			if a.asJSON {
				fmt.Fprintln(a.out, text)
			} else {
				a.printMessage(kind, []byte(text))
			}
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("the node closed the stream")
}

func (a *app) printMessage(kind string, data []byte) {
	switch kind {
	case "block":
		var b wire.Block
		if json.Unmarshal(data, &b) == nil {
			fmt.Fprintf(a.out, "Block %d  %s  %d txs  %d executions  %d cycles  basefee %s CBY\n", b.Height,
				time.UnixMilli(int64(b.TimestampMs)).UTC().Format("15:04:05.000"), len(b.Transactions), len(b.Executions), b.CyclesUsed,
				unit.Amount(b.CycleBasefee).CBY())
		}
	case "event":
		var e wire.Event
		if json.Unmarshal(data, &e) == nil {
			fmt.Fprintf(a.out, "%d  %s", e.BlockHeight, eventText(e))
		}
	}
}
