package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// readContent reads all files, each of which is held to its hash.
func readContent(ctx context.Context, s *volume.Snapshot) error {
	for e, err := range s.Entries(ctx, "") {
		if err == nil && e.Kind == cbfs.File {
			err = s.Read(ctx, e.Path, io.Discard)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// verified is what `volume verify` found.
type verified struct {
	Volume  string `json:"volume_id"`
	Entries uint64 `json:"entries"`
	Files   uint64 `json:"files"`
	Bytes   uint64 `json:"bytes"`
	Pages   uint64 `json:"pages"`
	Stripes uint64 `json:"stripes"`
	Free    uint64 `json:"free"`
	Read    bool   `json:"content_read"`
}

// volumeVerify reads all of a volume and holds it to the roots on chain.
//
// Spec: storage-cbfs §2.2, §2.4 (read rule).
func (a *app) volumeVerify() *cobra.Command {
	f, content := &fileFlags{}, false
	cmd := &cobra.Command{
		Use: "verify VOLUME", Short: "Read the whole manifest of a volume and hold it to the roots on chain", Args: cobra.ExactArgs(1),
		Long: "Read the whole manifest of a volume and hold it to both roots on chain. Whoever reads a few files of a large public volume holds them to the\n" +
			"root of its shards alone; this holds every entry to the root of its manifest too. With --content all files are read, and held to their hashes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.files(cmd.Context(), f, args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			s, err := c.Open(cmd.Context(), c.id)
			if err != nil {
				return err
			}
			v, err := s.Verify(cmd.Context())
			if err != nil {
				return err
			}
			if content {
				if err := readContent(cmd.Context(), s); err != nil {
					return err
				}
			}
			done := verified{wire.Hash(c.id), v.Entries, v.Files, v.Bytes, v.Pages, v.Stripes, v.Free, content}
			return a.show(done, "%d entries, %d of them files of %d bytes, in %d pages; %d stripes, of which %d are free\n",
				v.Entries, v.Files, v.Bytes, v.Pages, v.Stripes, v.Free)
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&content, "content", false, "read the bytes of all files too")
	return cmd
}
