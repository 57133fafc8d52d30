package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func (a *app) actorCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "actor", Short: "Write, deploy, call and read actors"}
	cmd.AddCommand(a.actorNew(), a.actorDeploy(), a.actorExecute(), a.actorQuery(), a.actorGet(), a.actorLogs(), a.actorAddress(),
		a.actorRestore(), a.actorList(), a.actorInterface())
	return cmd
}

func (a *app) actorNew() *cobra.Command {
	return &cobra.Command{
		Use: "new <name>", Short: "Write a starter actor to actors/<name>/main.py", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			made, err := project.WriteActor(".", args[0])
			if errors.Is(err, project.ErrActorName) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			return a.show(map[string]any{"created": made[0], "files": made}, "Created %s\n", strings.Join(made, "\nCreated "))
		},
	}
}

func parseSalt(text string) ([]byte, error) {
	salt, err := project.ParseSalt(text)
	if err != nil {
		return nil, usageError{fmt.Errorf("salt %q: %w", shorten(text), err)}
	}
	return salt, nil
}

// readSource reads an actor's file in its canonical form. Spec: WP §1.2.
func readSource(path string) ([]byte, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	source, err := pvm.CanonicalSource(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return source, nil
}

func deriveActor(creator account.Address, salt, source []byte) (account.Address, error) {
	padded, err := account.PadSalt(salt)
	if err != nil {
		return account.Address{}, err
	}
	return account.DeriveActor(creator, padded, account.CodeHash(source)), nil
}

type deployReport struct {
	ActorAddress string `json:"actor_address"`
	sent
}

// actorDeploy keeps the order existing clients cut at: address and hash, then the phrase. Spec: node-rpc-cli §4.2.
func (a *app) actorDeploy() *cobra.Command {
	var code, salt, manifest, initHandler, initPayload string
	var noInit bool
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "deploy", Short: "Put an actor on the chain", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			deploy := &tx.Deploy{}
			var err error
			if deploy.Code, err = readSource(code); err != nil {
				return err
			}
			if findings := checkSource(code, deploy.Code); len(findings) > 0 {
				return fmt.Errorf("%s would be refused:\n  %s", code, strings.Join(findings, "\n  "))
			}
			if deploy.Salt, err = saltOrRandom(salt); err != nil {
				return err
			}
			if manifest != "" {
				if deploy.Manifest, err = textOrFile(manifest); err != nil {
					return err
				}
			}
			asked := cmd.Flags().Changed("init-handler") || cmd.Flags().Changed("init-payload")
			if !noInit && (asked || hasHandler(deploy.Code, initHandler)) {
				deploy.InitHandler = []byte(initHandler)
				if deploy.InitPayload, err = textOrFile(initPayload); err != nil {
					return err
				}
			}
			return a.deploy(cmd.Context(), flags, deploy, code)
		},
	}
	cmd.Flags().StringVar(&code, "code", "", "Python source file")
	cmd.Flags().StringVar(&salt, "salt", "", "at most 32 bytes in hex (default: 16 random bytes)")
	cmd.Flags().StringVar(&manifest, "manifest-json", "", "entitlement manifest, text or @file")
	cmd.Flags().BoolVar(&noInit, "no-init", false, "do not call the init handler")
	cmd.Flags().StringVar(&initHandler, "init-handler", "init", "handler to call in the same transaction (default: init, where the source has one)")
	cmd.Flags().StringVar(&initPayload, "init-payload", "{}", "its payload, text or @file")
	require(cmd, "code")
	flags.register(cmd, 10_000_000, 10_000_000)
	return cmd
}

func saltOrRandom(text string) ([]byte, error) {
	if text != "" {
		return parseSalt(text)
	}
	salt := make([]byte, 16)
	_, err := rand.Read(salt)
	return salt, err
}

func (a *app) deploy(ctx context.Context, flags *sendFlags, deploy *tx.Deploy, label string) error {
	raw, err := a.key(flags.key)
	if err != nil {
		return err
	}
	creator, err := addressOf(raw)
	if err != nil {
		return err
	}
	address, err := deriveActor(creator, deploy.Salt, deploy.Code)
	if err != nil {
		return err
	}
	result, err := a.send(ctx, flags, deploy)
	if err != nil {
		return err
	}
	if config, err := findProject(); err == nil {
		config.AddActor(address.String(), label)
		_ = config.Save()
	}
	if a.asJSON {
		if err := a.showJSON(deployReport{address.String(), result}); err != nil {
			return err
		}
		if result.Receipt != nil && !result.Receipt.Success {
			return silent{errFailed}
		}
		return nil
	}
	return a.showSent(result, "Actor address: "+address.String()+"\n", "Actor deployment transaction submitted successfully\n")
}

func (a *app) actorExecute() *cobra.Command {
	var actor, handler, value string
	payload, flags := &payloadFlags{}, &sendFlags{}
	cmd := &cobra.Command{
		Use: "execute", Aliases: []string{"call"}, Short: "Call a handler of an actor", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(actor)
			if err != nil {
				return err
			}
			in := &tx.Execute{To: target, Handler: []byte(handler)}
			if in.Payload, err = payload.read(); err != nil {
				return err
			}
			if in.Amount, err = parseCBY(value); err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "actor's address")
	cmd.Flags().StringVar(&handler, "handler", "", "handler's name")
	payload.register(cmd, "payload")
	cmd.Flags().StringVar(&value, "value", "0", "CBY handed to the actor")
	require(cmd, "actor", "handler")
	flags.register(cmd, 500_000, 500_000)
	return cmd
}

func (a *app) fundActorCommand() *cobra.Command {
	var actor, amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "fund-actor", Short: "Send coins to an actor", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(actor)
			if err != nil {
				return err
			}
			value, err := parseCBY(amount)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.FundActor{Actor: target, Amount: value})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "actor's address")
	cmd.Flags().StringVar(&amount, "amount", "", "amount in CBY")
	require(cmd, "actor", "amount")
	flags.register(cmd, 50_000, 10_000)
	return cmd
}

func (a *app) upgradeActorCommand() *cobra.Command {
	var actor, code, manifest string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "upgrade-actor", Short: "Replace an actor's code", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(actor)
			if err != nil {
				return err
			}
			in := &tx.UpgradeActor{Actor: target}
			if in.Code, err = readSource(code); err != nil {
				return err
			}
			if manifest != "" {
				if in.Manifest, err = textOrFile(manifest); err != nil {
					return err
				}
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "actor's address")
	cmd.Flags().StringVar(&code, "code", "", "Python source file")
	cmd.Flags().StringVar(&manifest, "manifest-json", "", "entitlement manifest, text or @file")
	require(cmd, "actor", "code")
	flags.register(cmd, 10_000_000, 10_000_000)
	return cmd
}

func (a *app) actorGet() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "get", Short: "Print an actor", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(address)
			if err != nil {
				return err
			}
			var actor wire.Actor
			if err := a.node().Read(cmd.Context(), "/actor/"+target.String(), &actor); err != nil {
				return err
			}
			var health wire.Health
			if err := a.node().Read(cmd.Context(), "/health/detailed", &health); err != nil {
				return err
			}
			return a.show(actor, "%s", actorText(actor, wire.Development(health.ChainID)))
		},
	}
	cmd.Flags().StringVar(&address, "address", "", "actor's address")
	require(cmd, "address")
	return cmd
}

// actorText tells of an actor. readable shows what keys and values of its storage seem to mean; else they are hex digits.
func actorText(actor wire.Actor, readable bool) string {
	text := fmt.Sprintf("Actor address: %s\nCode hash: %s\nBalance: %s CBY\nMailbox: %d messages\nTimers: %d\nStorage: %d bytes\n",
		actor.Address, actor.CodeHash, unit.Amount(actor.Balance).CBY(), actor.MailboxCount, actor.TimerCount, actor.StorageBytes)
	for _, e := range actor.Entitlements {
		text += "Entitlement: " + e.ID
		if e.State != "active" {
			text += fmt.Sprintf(" (%s; removed at block %d)", e.State, e.RemovedAt)
		}
		text += "\n"
	}
	if !actor.Executable {
		text += "It does not execute until it is deployed again without what was removed.\n"
	}
	for _, key := range sortedKeys(actor.Storage) {
		if !readable {
			text += fmt.Sprintf("  0x%s = 0x%s\n", key, actor.Storage[key])
			continue
		}
		name, _ := hex.DecodeString(key)
		value, _ := hex.DecodeString(actor.Storage[key])
		shown := wire.Text(name)
		if shown == "" {
			shown = "0x" + key
		}
		text += fmt.Sprintf("  %s = %s\n", shown, cborText(value))
	}
	return text
}

// maxExplained bounds the executions of a list that the node is asked about.
const maxExplained = 20

func (a *app) actorLogs() *cobra.Command {
	var address string
	var limit uint64
	var prints bool
	cmd := &cobra.Command{
		Use: "logs", Short: "Print an actor's receipts, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := parseAddress(address)
			if err != nil {
				return err
			}
			var logs wire.Logs
			if err := a.node().Read(cmd.Context(), fmt.Sprintf("/actor/%s/logs?limit=%d", target, limit), &logs); err != nil {
				return err
			}
			if a.asJSON {
				return a.showJSON(logs)
			}
			var text strings.Builder
			explained := 0
			for _, r := range logs.Logs {
				fmt.Fprintf(&text, "Block %d: %s %s, %s, %d cycles, %d cells\n", r.BlockHeight, r.Kind, r.Handler, r.Status, r.CyclesUsed, r.CellsUsed)
				for _, e := range r.Events {
					text.WriteString("  " + eventText(e))
				}
				if r.Error != nil {
					fmt.Fprintf(&text, "  Error: %s %s: %s\n", r.Error.Slug, r.Error.What, unitext.PlainLine(r.Error.Why))
				}
				if r.Error == nil && !prints || explained == maxExplained {
					continue
				}
				explained++
				for line := range strings.Lines(a.whyText(a.why(cmd.Context(), r.TransactionHash))) {
					text.WriteString("  " + line)
				}
			}
			_, err = fmt.Fprint(a.out, text.String())
			return err
		},
	}
	cmd.Flags().StringVar(&address, "address", "", "actor's address")
	cmd.Flags().Uint64Var(&limit, "limit", 50, "how many to show")
	cmd.Flags().BoolVar(&prints, "prints", false, "on development networks, show print output of successful executions too")
	require(cmd, "address")
	return cmd
}

func (a *app) actorAddress() *cobra.Command {
	var code, creator, salt string
	cmd := &cobra.Command{
		Use: "address", Short: "Print the address a deployment would get", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			source, err := readSource(code)
			if err != nil {
				return err
			}
			by, err := a.addressFlag(creator)
			if err != nil {
				return err
			}
			bytes, err := parseSalt(salt)
			if err != nil {
				return err
			}
			address, err := deriveActor(by, bytes, source)
			if err != nil {
				return err
			}
			return a.show(map[string]string{"actor_address": address.String()}, "Actor address: %s\n", address)
		},
	}
	cmd.Flags().StringVar(&code, "code", "", "Python source file")
	cmd.Flags().StringVar(&creator, "creator", "", "deploying account (default: the wallet)")
	cmd.Flags().StringVar(&salt, "salt", "", "at most 32 bytes in hex")
	require(cmd, "code", "salt")
	return cmd
}
