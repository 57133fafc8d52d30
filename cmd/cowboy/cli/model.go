package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// The limits of transactions about models, in cycles and cells.
const (
	modelCycles = 50_000
	modelCells  = 1_000
)

// modelCommand is about the model registry. Spec: WP §5.1.
func (a *app) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "model", Short: "Publish models that jobs name, and list them",
		Long: "A model is named by its model_id, the Keccak-256 of four hashes: of its weights, its architecture, its tokenizer and its license.\n" +
			"Publishing one takes a deposit of 1,000 CBY, which withdrawing it gives back. Governance may flag a model, or ban it from jobs.",
	}
	cmd.AddCommand(a.modelPublish(), a.modelWithdraw(), a.modelList(), a.modelGet())
	return cmd
}

func (a *app) modelPublish() *cobra.Command {
	var parts [4]string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "publish", Short: "Publish a model, for a deposit of 1,000 CBY", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.ModelPublish{}
			for i, to := range [...]*digest.Hash{&in.Weights, &in.Arch, &in.Tokenizer, &in.License} {
				var err error
				if *to, err = digest.ParseHash(strings.ToLower(parts[i])); err != nil {
					return usageError{err}
				}
			}
			result, err := a.send(cmd.Context(), flags, in)
			if err != nil {
				return err
			}
			return a.showSent(result, "", fmt.Sprintf("Model: %s\n", wire.Hash(in.Revision().ID())))
		},
	}
	for i, name := range [...]string{"weights", "arch", "tokenizer", "license"} {
		cmd.Flags().StringVar(&parts[i], name, "", "hash of the model's "+name)
		require(cmd, name)
	}
	flags.register(cmd, modelCycles, modelCells)
	return cmd
}

func (a *app) modelWithdraw() *cobra.Command {
	var id string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "withdraw", Short: "Take a model of yours out of the registry, and have its deposit back", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := digest.ParseHash(strings.ToLower(id))
			if err != nil {
				return usageError{err}
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.ModelWithdraw{Model: hash})
		},
	}
	cmd.Flags().StringVar(&id, "model", "", "the model_id")
	require(cmd, "model")
	flags.register(cmd, modelCycles, modelCells)
	return cmd
}

func (a *app) modelGet() *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "get", Short: "Print a model", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := digest.ParseHash(strings.ToLower(id))
			if err != nil {
				return usageError{err}
			}
			var m wire.Model
			if err := a.node().Read(cmd.Context(), "/model/"+wire.Hash(hash), &m); err != nil {
				return err
			}
			return a.show(m, "%s", modelText(m))
		},
	}
	cmd.Flags().StringVar(&id, "model", "", "the model_id")
	require(cmd, "model")
	return cmd
}

// modelText says in words what a model is.
func modelText(m wire.Model) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("Model: %s", m.ModelID)
	switch {
	case m.Banned:
		line("Banned: no job may name it")
	case m.Flagged:
		line("Flagged by governance")
	}
	if !m.Published {
		line("Nobody has published it")
		return text.String()
	}
	line("Weights: %s", m.Weights)
	line("Architecture: %s", m.Arch)
	line("Tokenizer: %s", m.Tokenizer)
	line("License: %s", m.License)
	line("Published by %s in block %d, deposit %s", m.Publisher, m.PublishedAt, cby(m.Deposit))
	return text.String()
}

func (a *app) modelList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print the models that are published", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Models{Models: []wire.Model{}}
			err := pages(cmd.Context(), a, "/models", func(page *wire.Models) string {
				all.Models = append(all.Models, page.Models...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, m := range all.Models {
				mark := ""
				if m.Flagged {
					mark = "  flagged"
				}
				if m.Banned {
					mark = "  banned"
				}
				fmt.Fprintf(&text, "%s  by %s%s\n", m.ModelID, m.Publisher, mark)
			}
			if len(all.Models) == 0 {
				text.WriteString("No model is published.\n")
			}
			return a.show(all, "%s", text.String())
		},
	}
}
