package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

const (
	// atOnce is how many blocks one request asks for, so that an interrupted command stops soon.
	atOnce = 200
	// reopenWithin is how long a node may take to be back after a snapshot.
	reopenWithin = 2 * time.Minute
	askAgain     = 20 * time.Millisecond
)

// developCommands are the controls of a development network of one validator.
func (a *app) developCommands() []*cobra.Command {
	return []*cobra.Command{
		a.devStatus(), a.devMine(), a.devMining(), a.devAdvance(), a.devTime(), a.devSnapshot(), a.devRevert(), a.devDump(), a.devLoad(), a.devDrop(),
		a.devBalance(), a.devStorage(), a.devCode(), a.devSend(), a.devPanic(), a.devRunner(),
	}
}

// dev asks for one of the calls under /dev.
func (a *app) dev(ctx context.Context, method, path string, request, reply any) error {
	var raw []byte
	if request != nil {
		var err error
		if raw, err = json.Marshal(request); err != nil {
			return err
		}
	}
	node := a.node()
	node.HTTP.Timeout = 0
	err := node.Do(ctx, method, path, "application/json", raw, reply)
	var status *api.StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound && strings.HasPrefix(status.Reply.Why, "no such call") {
		return fmt.Errorf("the node at %s has no developer controls\n  they exist on development networks of one validator: start one with `cowboyd`", node.URL)
	}
	return err
}

func (a *app) showDev(s wire.Dev) error {
	at := time.UnixMilli(int64(s.TimeMs)).UTC().Format("2006-01-02 15:04:05 MST")
	text := fmt.Sprintf("Height: %d\nTime: %s\n", s.Height, at)
	if s.Mining != "" {
		text += "Mining: " + s.Mining + "\n"
	}
	if s.AheadMs > 0 {
		text += fmt.Sprintf("Ahead of the machine: %v\n", time.Duration(s.AheadMs)*time.Millisecond)
	}
	if len(s.Snapshots) > 0 {
		text += "Snapshots: " + strings.Join(s.Snapshots, ", ") + "\n"
	}
	if len(s.Armed) > 0 {
		text += "About to panic: " + strings.Join(s.Armed, ", ") + "\n"
	}
	if s.LastFailure != "" {
		text += "Last failure: " + s.LastFailure + "\n"
	}
	return a.show(s, "%s", text)
}

func (a *app) devStatus() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show height, clock and snapshots of the development network", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var s wire.Dev
			if err := a.dev(cmd.Context(), http.MethodGet, "/dev", nil, &s); err != nil {
				return err
			}
			return a.showDev(s)
		},
	}
}

// number reads a positive argument.
func number(what, text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n == 0 {
		return 0, usageError{fmt.Errorf("%q is not a number of %s", text, what)}
	}
	return n, nil
}

func (a *app) devMine() *cobra.Command {
	return &cobra.Command{
		Use: "mine [N]", Short: "Make N blocks at once (1)", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := uint64(1)
			if len(args) > 0 {
				var err error
				if n, err = number("blocks", args[0]); err != nil {
					return err
				}
			}
			var s wire.Dev
			for n > 0 {
				some := min(n, atOnce)
				if err := a.dev(cmd.Context(), http.MethodPost, "/dev/advance", wire.DevAdvance{Blocks: some}, &s); err != nil {
					return err
				}
				n -= some
			}
			return a.showDev(s)
		},
	}
}

func (a *app) devMining() *cobra.Command {
	var every time.Duration
	cmd := &cobra.Command{
		Use: "mining auto|interval|manual", SuggestFor: []string{"automine"}, Short: "Change when blocks are made, from now on", Args: cobra.ExactArgs(1),
		Long: "auto makes a block as soon as something waits, and one each interval; interval makes one each interval; manual makes one upon\n" +
			"`cowboy dev mine`. --every changes the interval. A node that is started anew does as its --mining says.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if every < 0 || cmd.Flags().Changed("every") && every < time.Millisecond {
				return usageError{fmt.Errorf("--every is a millisecond at least")}
			}
			var s wire.Dev
			request := wire.DevMining{Mining: args[0], IntervalMs: uint64(every / time.Millisecond)}
			if err := a.dev(cmd.Context(), http.MethodPost, "/dev/mining", request, &s); err != nil {
				return err
			}
			return a.showDev(s)
		},
	}
	cmd.Flags().DurationVar(&every, "every", 0, "time between two blocks (default: as it is)")
	return cmd
}

func (a *app) devAdvance() *cobra.Command {
	return &cobra.Command{
		Use: "advance DURATION", Short: "Move the clock forward, as in 90s, 12h or 1d, and make a block", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := duration(args[0])
			if err != nil {
				return err
			}
			return a.advance(cmd.Context(), wire.DevAdvance{Seconds: uint64(by / time.Second)})
		},
	}
}

// duration reads a time to let pass; days are written d.
func duration(text string) (time.Duration, error) {
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.ParseUint(days, 10, 16); isDays && err == nil && n > 0 {
		return time.Duration(n) * 24 * time.Hour, nil
	}
	by, err := time.ParseDuration(text)
	if err != nil || by < time.Second {
		return 0, usageError{fmt.Errorf("%q is not a time of a second or more, like 90s, 12h or 1d", text)}
	}
	return by, nil
}

func (a *app) devTime() *cobra.Command {
	return &cobra.Command{
		Use: "time TIME", Short: "Set the clock to a later time, RFC 3339 or milliseconds since 1970, and make a block", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ms, err := strconv.ParseUint(args[0], 10, 63)
			if err != nil {
				at, err := time.Parse(time.RFC3339, args[0])
				if err != nil {
					return usageError{fmt.Errorf("%q is neither like 2027-01-31T12:00:00Z nor milliseconds since 1970", args[0])}
				}
				ms = uint64(at.UnixMilli())
			}
			return a.advance(cmd.Context(), wire.DevAdvance{TimestampMs: ms})
		},
	}
}

func (a *app) advance(ctx context.Context, request wire.DevAdvance) error {
	var s wire.Dev
	if err := a.dev(ctx, http.MethodPost, "/dev/advance", request, &s); err != nil {
		return err
	}
	return a.showDev(s)
}

func (a *app) devSnapshot() *cobra.Command {
	return &cobra.Command{
		Use: "snapshot NAME", Short: "Keep the chain as it is, to go back to", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reopen(cmd.Context(), "/dev/snapshot", args[0])
		},
	}
}

func (a *app) devRevert() *cobra.Command {
	return &cobra.Command{
		Use: "revert NAME", Short: "Take the chain back to a snapshot", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.reopen(cmd.Context(), "/dev/revert", args[0]) },
	}
}

// reopen asks for something the node has to stop for, and waits until it runs again.
func (a *app) reopen(ctx context.Context, path, name string) error {
	var asked struct {
		Run uint64 `json:"run"`
	}
	if err := a.dev(ctx, http.MethodPost, path, wire.DevSnapshot{Name: name}, &asked); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reopenWithin)
	defer cancel()
	tick := time.NewTicker(askAgain)
	defer tick.Stop()
	for {
		var s wire.Dev
		err := a.dev(ctx, http.MethodGet, "/dev", nil, &s)
		switch {
		case err == nil && s.Run >= asked.Run && s.LastFailure != "":
			return errors.New(s.LastFailure)
		case err == nil && s.Run >= asked.Run:
			return a.showDev(s)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the node is not back: %w", errors.Join(err, ctx.Err()))
		case <-tick.C:
		}
	}
}

func (a *app) devDump() *cobra.Command {
	return &cobra.Command{
		Use: "dump NAME FILE", Short: "Write a snapshot to a file", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.dump(cmd.Context(), args[0], args[1]) },
	}
}

func (a *app) dump(ctx context.Context, name, file string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url()+"/dev/snapshots/"+url.PathEscape(name), nil)
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return &api.Unreachable{URL: a.url(), Err: err}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		failure := &api.StatusError{Status: resp.StatusCode}
		_ = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&failure.Reply)
		return failure
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, resp.Body)
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return a.show(map[string]any{"file": file, "bytes": n}, "Wrote %s\n", file)
}

func (a *app) devLoad() *cobra.Command {
	return &cobra.Command{
		Use: "load NAME FILE", Short: "Bring a dumped chain in as a snapshot and go to it", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := os.ReadFile(args[1])
			if err != nil {
				return err
			}
			node := a.node()
			node.HTTP.Timeout = 0
			if err := node.Do(cmd.Context(), http.MethodPut, "/dev/snapshots/"+url.PathEscape(args[0]), "application/x-tar", raw, nil); err != nil {
				return err
			}
			return a.reopen(cmd.Context(), "/dev/revert", args[0])
		},
	}
}

func (a *app) devDrop() *cobra.Command {
	return &cobra.Command{
		Use: "drop NAME", Short: "Forget a snapshot", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var s wire.Dev
			if err := a.dev(cmd.Context(), http.MethodDelete, "/dev/snapshots/"+url.PathEscape(args[0]), nil, &s); err != nil {
				return err
			}
			return a.showDev(s)
		},
	}
}

// faulted is a transaction that failed, with its fault's code.
type faulted struct {
	error
	code int
}

// administered shows what became of a transaction of the network's administrator.
func (a *app) administered(ctx context.Context, path string, request any) error {
	var r wire.Receipt
	if err := a.dev(ctx, http.MethodPost, path, request, &r); err != nil {
		return err
	}
	if !r.Success {
		why, code := r.Status, 0
		if r.Error != nil {
			why, code = r.Error.Why, r.Error.Code
		}
		return faulted{fmt.Errorf("%s\n  see `cowboy trace %s`", why, r.TransactionHash), code}
	}
	return a.show(r, "Done in block %d\n", r.BlockHeight)
}

func (a *app) devBalance() *cobra.Command {
	return &cobra.Command{
		Use: "balance ADDRESS CBY", Short: "Set an address's balance; the faucet gives or takes the difference", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			amount, err := parseCBY(args[1])
			if err != nil {
				return err
			}
			return a.administered(cmd.Context(), "/dev/balance", wire.DevBalance{Address: addr.String(), Balance: uint64(amount)})
		},
	}
}

func (a *app) devStorage() *cobra.Command {
	return &cobra.Command{
		Use: "storage ACTOR KEY [VALUE]", Short: "Write an actor's storage entry, or remove it", Args: cobra.RangeArgs(2, 3),
		Long: "Write one entry of an actor's storage, or remove it when no value is given.\n\n" +
			"The value is JSON, stored as the SDK stores values, or 0x and hex digits for raw bytes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			request := wire.DevStorage{Actor: addr.String(), Key: hex.EncodeToString([]byte(args[1]))}
			if strings.HasPrefix(args[1], "0x") {
				request.Key = args[1]
			}
			if len(args) == 3 {
				value, err := storageValue(args[2])
				if err != nil {
					return err
				}
				text := hex.EncodeToString(value)
				request.Value = &text
			}
			return a.administered(cmd.Context(), "/dev/storage", request)
		},
	}
}

func storageValue(text string) ([]byte, error) {
	if strings.HasPrefix(text, "0x") {
		return parseHex("value", text)
	}
	v, err := wire.Plain(text)
	if err != nil {
		return nil, usageError{err}
	}
	return cbor.Append(nil, v)
}

func (a *app) devCode() *cobra.Command {
	return &cobra.Command{
		Use: "code ACTOR FROM", Short: "Give an actor the code of another one; its storage stays", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			from, err := parseAddress(args[1])
			if err != nil {
				return err
			}
			return a.administered(cmd.Context(), "/dev/code", wire.DevCode{Actor: actor.String(), From: from.String()})
		},
	}
}

func (a *app) devSend() *cobra.Command {
	return &cobra.Command{
		Use: "send FROM TO HANDLER [PAYLOAD]", Short: "Send an actor a message from any address", Args: cobra.RangeArgs(3, 4),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			to, err := parseAddress(args[1])
			if err != nil {
				return err
			}
			request := wire.DevSend{From: from.String(), To: to.String(), Handler: args[2]}
			if len(args) == 4 {
				request.Payload = hex.EncodeToString([]byte(args[3]))
			}
			return a.administered(cmd.Context(), "/dev/send", request)
		},
	}
}

func (a *app) devPanic() *cobra.Command {
	return &cobra.Command{
		Use: "panic SUBSYSTEM", Short: "Make a subsystem of the node, such as core/executor, panic at its next command", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var s wire.Dev
			if err := a.dev(cmd.Context(), http.MethodPost, "/dev/panic", wire.DevPanic{Subsystem: args[0]}, &s); err != nil {
				return err
			}
			return a.showDev(s)
		},
	}
}
