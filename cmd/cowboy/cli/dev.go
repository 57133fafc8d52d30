package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// devReport is the last line `dev` prints. Spec: node-rpc-cli §4.2.
type devReport struct {
	OK        bool              `json:"ok"`
	Output    string            `json:"output,omitempty"`
	Events    []devEvent        `json:"events,omitempty"`
	Messages  []devMessage      `json:"messages,omitempty"`
	State     map[string]string `json:"state,omitempty"`
	GasUsed   uint64            `json:"gas_used,omitempty"`
	CellsUsed uint64            `json:"cells_used,omitempty"`
	ErrorCode string            `json:"error_code,omitempty"`
	Error     string            `json:"error,omitempty"`
	Traceback string            `json:"traceback,omitempty"`
	Printed   string            `json:"printed,omitempty"`
}

type devEvent struct {
	Topic string `json:"topic"`
	Data  string `json:"data"`
}

type devMessage struct {
	Target  string `json:"target"`
	Handler string `json:"handler,omitempty"`
	Payload string `json:"payload"`
	Value   uint64 `json:"value,omitempty"` // base units
}

var errDev = errors.New("the handler failed")

// devCommand runs one handler on an empty chain of its own, after `init` when the actor has one.
func (a *app) devCommand() *cobra.Command {
	var code, handler, payload, initPayload string
	var cycles uint64
	var noInit, watch bool
	cmd := &cobra.Command{
		Use: "dev", SuggestFor: []string{"devnet", "anvil", "watch"}, Short: "Run one handler locally; control a development network", Args: cobra.NoArgs,
		Long: "Run one handler locally, without a node: cowboy dev --code FILE --handler NAME.\n" +
			"With --watch, keep the actors of the project here checked, tested and deployed.\n\n" +
			"The subcommands control the node of a development network of one validator.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if watch {
				return a.watchProject(cmd.Context(), ".")
			}
			if code == "" || handler == "" {
				return usageError{errors.New(`required flag(s) "code", "handler" not set`)}
			}
			source, err := readSource(code)
			if err != nil {
				return err
			}
			data, err := hexOrFile("payload", payload)
			if err != nil {
				return err
			}
			if found := checkSource(code, source); len(found) > 0 {
				return a.endDev(devReport{ErrorCode: "E1101", Error: strings.Join(found, "\n")})
			}
			stage := newStage(code, source)
			if !noInit && handler != "init" {
				if first := stage.run("init", []byte(initPayload), cycles); !first.OK && !strings.Contains(first.Error, "no handler") {
					first.Error = "init: " + first.Error
					return a.endDev(first)
				}
			}
			last := stage.run(handler, data, cycles)
			for line := range strings.Lines(last.Printed + last.Traceback) {
				fmt.Fprintln(a.out, unitext.PlainLine(strings.TrimSuffix(line, "\n")))
			}
			if m := stage.watch.Missing; m != nil && len(m.Has) > 0 {
				last.Error += "; it has: " + strings.Join(m.Has, ", ")
			}
			return a.endDev(last)
		},
	}
	cmd.Flags().StringVar(&code, "code", "", "Python source file")
	cmd.Flags().StringVar(&handler, "handler", "", "handler's name")
	cmd.Flags().StringVar(&payload, "payload", "7b7d", "payload in hex, or @file")
	cmd.Flags().StringVar(&initPayload, "init-payload", "{}", "payload of the init handler")
	cmd.Flags().BoolVar(&noInit, "no-init", false, "do not run init first")
	cmd.Flags().Uint64Var(&cycles, "cycles-limit", 10_000_000, "most cycles to use")
	cmd.Flags().Bool("strict", false, "refuse what a deployment would refuse, which is what happens without it too")
	cmd.Flags().BoolVar(&watch, "watch", false, "check, test and deploy the project's actors, and again whenever one is saved")
	cmd.AddCommand(a.developCommands()...)
	return cmd
}

func (a *app) endDev(r devReport) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s\n", line)
	if !r.OK {
		return silent{errDev}
	}
	return nil
}

// stage is an empty chain with one actor on it.
type stage struct {
	actor   account.Address
	sender  account.Address
	overlay *state.Overlay
	host    *host.Host
	watch   *host.Watch
	file    string
	turns   uint32
	err     error
}

func newStage(file string, source []byte) *stage {
	watch := &host.Watch{}
	s := &stage{
		actor: account.Address{0xac}, sender: account.Address{0x5e}, host: host.New(host.NewPrograms()).Watch(watch), watch: watch, file: file,
		overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(),
	}
	params.Genesis().Save(s.overlay)
	hash := account.CodeHash(source)
	record := account.Account{Kind: account.Actor, CodeHash: hash, Creator: s.sender, Balance: 1_000 * unit.CBY}
	s.overlay.Set(s.actor.Key(), record.Encode())
	s.overlay.Set(host.CodeKey(hash), source)
	return s
}

func (s *stage) run(handler string, payload []byte, cycles uint64) devReport {
	s.turns++
	id := digest.Keccak256([]byte(handler), payload, []byte{byte(s.turns)})
	mark := s.overlay.Mark()
	p := params.Genesis()
	turn := &drain.Turn{
		Number: s.turns, Kind: block.Transaction, Target: s.actor, Sender: s.sender, ID: id, TxHash: id, Origin: id,
		Signer: &s.sender, Nonce: uint64(s.turns), Limit: fee.Use{Cycles: unit.Cycles(cycles), Cells: params.MaxTxCells},
		Payload: drain.Payload{
			Instruction: &tx.Execute{To: s.actor, Handler: []byte(handler), Payload: payload}, Handler: handler, Data: payload,
		},
		Block:   &drain.Block{ChainID: 1, Height: 1, TimestampMs: 1_000, Beacon: id[:], Params: p, Basefees: params.GenesisBasefees()},
		Overlay: s.overlay,
	}
	out, err := s.host.Run(turn)
	if err != nil {
		return devReport{ErrorCode: "E1900", Error: err.Error()}
	}
	report := devReport{GasUsed: uint64(out.Used.Cycles), CellsUsed: uint64(out.Used.Cells)}
	for _, p := range s.watch.Printed {
		report.Printed += p.Text
	}
	if f := s.watch.Failure; f != nil && len(f.Places) > 0 {
		report.Traceback = f.Render(func(account.Address) string { return s.file })
	}
	if out.Fault != nil {
		s.overlay.Revert(mark)
		report.ErrorCode, report.Error = fmt.Sprintf("E%d", out.Fault.Code), out.Fault.Text
		if out.Fault.Code == drain.FaultCycles {
			report.ErrorCode = "CYCLES_EXHAUSTED"
		}
		return report
	}
	report.OK, report.Output = true, wire.Text(out.Return)
	if report.Output == "" && len(out.Return) > 0 {
		report.Output = "0x" + wire.Hex(out.Return)
	}
	for _, e := range out.Events {
		data := wire.Text(e.Data)
		if data == "" && len(e.Data) > 0 {
			data = "0x" + wire.Hex(e.Data)
		}
		report.Events = append(report.Events, devEvent{string(e.Topic), data})
	}
	report.Messages = s.messages()
	report.State = s.storage()
	return report
}

// messages lists what the handler sent.
func (s *stage) messages() []devMessage {
	var list []devMessage
	entries, err := mailbox.Pending(s.overlay, nil, 1_024)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if m, ok, err := mailbox.Load(s.overlay, e); err == nil && ok {
			list = append(list, devMessage{m.Target.String(), m.Handler, wire.Hex(m.Payload), uint64(m.Value)})
		}
	}
	return list
}

// storage gives the actor's entries as text where they are CBOR.
func (s *stage) storage() map[string]string {
	entries := map[string]string{}
	prefix := account.Key(account.KindStorage, s.actor)
	s.err = s.overlay.Scan(prefix, nil, 10_000, func(key, value []byte) bool {
		name := wire.Text(key[len(prefix):])
		if name == "" {
			name = "0x" + wire.Hex(key[len(prefix):])
		}
		entries[name] = cborText(value)
		return true
	})
	return entries
}
