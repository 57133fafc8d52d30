package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// containerCommand shows what container jobs may run.
//
// Spec: gateway-payments-streams §I.
func (a *app) containerCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "container", Short: "List images and resource classes of container jobs"}
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "Print the images that container jobs may run, and the resource classes", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Containers{Images: []wire.ContainerImage{}}
			err := pages(cmd.Context(), a, "/containers", func(page *wire.Containers) string {
				all.Images, all.Classes = append(all.Images, page.Images...), page.Classes
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			return a.show(all, "%s", containersText(all))
		},
	})
	return cmd
}

func containersText(all wire.Containers) string {
	var text strings.Builder
	for _, i := range all.Images {
		fmt.Fprintf(&text, "%s@%s  %d bytes  %s\n", i.Name, i.Digest, i.SizeBytes, strings.Join(i.Platforms, " "))
	}
	if len(all.Images) == 0 {
		text.WriteString("No image is registered, so no container job can run. Governance registers images.\n")
	}
	text.WriteString("Resource classes:\n")
	for _, c := range all.Classes {
		fmt.Fprintf(&text, "  %s: %d millicores, %d MiB of memory, %d MiB of scratch, %d s, %d GPUs\n",
			c.Name, c.CPUMillicores, c.MemoryMiB, c.ScratchMiB, c.MaxDurationSec, c.GPUCount)
	}
	return text.String()
}
