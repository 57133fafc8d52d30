package cli

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// instructionGroup is the group of the commands that send one instruction each, in the help.
const instructionGroup = "instructions"

// The limits of an instruction that takes a turn, in cycles and cells. What is not used is refunded.
const (
	instructionCycles = 500_000
	instructionCells  = 500_000
)

// addInstructions gives cmd a command for every instruction there is, by its name in the specification. One that is not built has a command that says so.
func (a *app) addInstructions(cmd *cobra.Command) {
	cmd.AddGroup(&cobra.Group{ID: instructionGroup, Title: "Send any instruction, a flag for each of its fields:"})
	var chapters []tx.Chapter
	missing := map[tx.Chapter]string{}
	for _, row := range tx.Rows() {
		if row.Built() {
			cmd.AddCommand(a.instructionCommand(row))
			continue
		}
		cmd.AddCommand(unbuiltCommand(row))
		if missing[row.Chapter] == "" {
			chapters = append(chapters, row.Chapter)
		}
		missing[row.Chapter] += " " + row.Name
	}
	cmd.Long = cmd.Short + ".\n\nInstructions that are not available yet, by chapter:"
	for _, c := range chapters {
		cmd.Long += "\n  " + string(c) + ":" + missing[c]
	}
}

func unbuiltCommand(row tx.Row) *cobra.Command {
	return &cobra.Command{
		Use: row.Name, Aliases: []string{dashed(row.Name)}, Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return usageError{fmt.Errorf("%s is not available yet: that part of chapter %q is not built", row.Name, row.Chapter)}
		},
	}
}

// instructionCommand signs and sends an instruction of a row. An amount is in CBY, except within JSON.
func (a *app) instructionCommand(row tx.Row) *cobra.Command {
	flags, values := &sendFlags{}, map[string]*string{}
	cmd := &cobra.Command{
		Use: row.Name, Aliases: []string{dashed(row.Name)}, Short: describe(row), GroupID: instructionGroup, Args: cobra.NoArgs,
	}
	for _, f := range row.Fields() {
		name := strings.ReplaceAll(f.Name, "_", "-")
		values[f.Name] = cmd.Flags().String(name, "", takes(f))
		if f.Type == tx.TypeBytes {
			values[f.Name+"_text"] = cmd.Flags().String(name+"-text", "", "the same as text, or @file")
			cmd.MarkFlagsMutuallyExclusive(name, name+"-text")
		}
	}
	cycles, cells := uint64(instructionCycles), uint64(instructionCells)
	if row.Payment != tx.NoPayment {
		cycles, cells = uint64(row.Intrinsic.Cycles), uint64(row.Intrinsic.Cells)
	}
	flags.register(cmd, cycles, cells)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		members := map[string]any{}
		for _, f := range row.Fields() {
			for _, name := range []string{f.Name, f.Name + "_text"} {
				flag := cmd.Flags().Lookup(strings.ReplaceAll(name, "_", "-"))
				if flag == nil || !flag.Changed || values[name] == nil {
					continue
				}
				member, err := memberOf(f, name != f.Name, *values[name])
				if err != nil {
					return usageError{fmt.Errorf("%s: --%s: %w", row.Name, flag.Name, err)}
				}
				members[name] = member
			}
		}
		in, err := wire.ToInstruction(row, members)
		if err != nil {
			return usageError{fmt.Errorf("%s: %w", row.Name, err)}
		}
		return a.sendAndShow(cmd.Context(), flags, in)
	}
	return cmd
}

// describe says in a line what the row says of its instructions.
func describe(row tx.Row) string {
	text := fmt.Sprintf("%s, %d cycles at least", row.Chapter, row.Intrinsic.Cycles)
	if row.Privileged {
		text += ", governance only"
	}
	return text
}

// takes says what a field's flag takes.
func takes(f tx.Field) string {
	text := strings.TrimPrefix(wire.Takes(f), "wants ")
	switch f.Type {
	case tx.TypeAmount:
		text = strings.Replace(text, "base units", "CBY", 1)
	case tx.TypeBytes, tx.TypeFixed, tx.TypeText, tx.TypeGroup, tx.TypeList:
		text += "; @file for a file with it"
	}
	return text
}

// memberOf turns the text of a flag into what the instruction's JSON has there.
func memberOf(f tx.Field, asText bool, text string) (any, error) {
	switch f.Type {
	case tx.TypeAmount:
		amount, err := parseCBY(text)
		return uint64(amount), err
	case tx.TypeFixed, tx.TypeBytes:
		if !asText {
			b, err := hexOrFile("value", text)
			return hex.EncodeToString(b), err
		}
		b, err := textOrFile(text)
		return string(b), err
	case tx.TypeText:
		b, err := textOrFile(text)
		return map[string]any{"hex": hex.EncodeToString(b)}, err
	case tx.TypeGroup, tx.TypeList:
		b, err := textOrFile(text)
		if err != nil {
			return nil, err
		}
		var v any
		d := json.NewDecoder(strings.NewReader(string(b)))
		d.UseNumber()
		if err := d.Decode(&v); err != nil || d.More() {
			return nil, fmt.Errorf("%q is not one JSON value", shorten(string(b)))
		}
		return v, nil
	}
	return text, nil
}

// dashed turns ValidatorRegister into validator-register.
func dashed(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
