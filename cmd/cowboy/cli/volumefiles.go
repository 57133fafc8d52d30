package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// volumeUploads is where what was drawn for uploads lies, from the folder on that the command runs in.
var volumeUploads = filepath.Join(".cowboy", "uploads")

// fileFlags are those of commands about files of a volume.
type fileFlags struct {
	key   string
	least int
}

func (f *fileFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.key, "key-file", "", "the key of a private volume (default: .cowboy/volumes/ID.key)")
}

func (f *fileFlags) registerWrites(cmd *cobra.Command) {
	f.register(cmd)
	cmd.Flags().IntVar(&f.least, "at-least", 0, "slots that have to take what is written (default: those that are enough to read, and half of the others)")
}

// opened is a client for a volume.
type opened struct {
	*volume.Client
	id digest.Hash
}

// Close ends the client, and erases the key it had.
func (o *opened) Close() {
	o.Client.Close()
	if o.Key != nil {
		clear(o.Key[:])
	}
}

// files gives a client for a volume of the wallet's, or of anybody's. The key of a private volume that is not kept here is released by its committee.
func (a *app) files(ctx context.Context, f *fileFlags, name string) (*opened, error) {
	id, err := a.volumeOf(ctx, name)
	if err != nil {
		return nil, err
	}
	key, err := readVolumeKey(f.key, id)
	if err != nil {
		return nil, err
	}
	raw, err := a.senderKey("")
	if err != nil {
		return nil, err
	}
	wallet, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return nil, err
	}
	node := a.node()
	var health wire.Health
	if err := node.Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	if key == nil {
		if key, err = a.released(ctx, wallet, id); err != nil && !errors.Is(err, reach.ErrUnknown) {
			return nil, err
		}
	}
	return &opened{&volume.Client{
		Chain: api.Committer{Storage: api.Storage{Node: node}, Wallet: &api.Wallet{Node: node, Key: wallet}}, Wallet: wallet,
		Network: api.NetworkOf(health.ChainID), Key: key, Journal: volume.Journal(volumeUploads), Least: f.least, Now: time.Now, Told: a.progress(),
	}, id}, nil
}

// checkPath holds a path of a volume that was asked for to its form, before its key is asked for, which costs a fee.
func checkPath(path string) error {
	if err := cbfs.CheckPath(path); err != nil {
		return usageError{fmt.Errorf("%q: %w", path, err)}
	}
	return nil
}

// progress draws a bar on a terminal; nil where there is none.
func (a *app) progress() func(done, total uint64) {
	f, ok := a.err.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	const width = 40
	return func(done, total uint64) {
		if total == 0 {
			return
		}
		full := int(done * width / total)
		fmt.Fprintf(f, "\r[%s%s] %d of %d MiB", strings.Repeat("#", full), strings.Repeat(".", width-full), done>>20, total>>20)
		if done >= total {
			fmt.Fprintln(f)
		}
	}
}

// put is what `volume put` did.
type put struct {
	Volume string `json:"volume_id"`
	Files  int    `json:"files"`
	Bytes  uint64 `json:"bytes"`
}

func (a *app) volumePut() *cobra.Command {
	f, giveUp := &fileFlags{}, false
	cmd := &cobra.Command{
		Use: "put VOLUME FILE|FOLDER [PATH]", Short: "Put a file or a folder into a volume, in one commit", Args: cobra.RangeArgs(2, 3),
		Long: "Put a file or a folder into a volume, in one commit: the shards go to the relays of the volume, then the chain is told. Without PATH a file\n" +
			"has its own name, and a folder's files theirs. What was sent of a private volume before a break is not sent again;\n" +
			"of a public one it is taken back where relays are reached. --give-up takes back what an earlier put of the same files sent, and puts nothing.",
		RunE: func(cmd *cobra.Command, args []string) error {
			to := ""
			if len(args) == 3 {
				to = args[2]
			}
			changes, err := changesOf(args[1], to)
			if err != nil {
				return err
			}
			for i := range changes {
				if err := changes[i].Check(); err != nil {
					return usageError{err}
				}
			}
			c, err := a.files(cmd.Context(), f, args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			if giveUp {
				chunks, err := c.GiveUp(cmd.Context(), c.id, changes)
				if err != nil {
					return err
				}
				return a.show(map[string]int{"chunks": chunks}, "relays have %d chunks of it no more\n", chunks)
			}
			if err := c.Apply(cmd.Context(), c.id, changes); err != nil {
				return err
			}
			done := put{Volume: wire.Hash(c.id)}
			for _, one := range changes {
				if one.Kind == cbfs.File {
					done.Files, done.Bytes = done.Files+1, done.Bytes+one.Size
				}
			}
			return a.show(done, "%d files, %d bytes\n", done.Files, done.Bytes)
		},
	}
	f.registerWrites(cmd)
	cmd.Flags().BoolVar(&giveUp, "give-up", false, "take back what was sent and not committed")
	return cmd
}

// changesOf lists what puts a file or a folder at a path.
func changesOf(from, to string) (changes []volume.Change, err error) {
	err = filepath.WalkDir(from, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, full)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		one := volume.Change{Path: path.Join(to, filepath.ToSlash(rel))}
		switch {
		case full == from && d.IsDir() && one.Path == ".":
			return nil
		case full == from && !d.IsDir() && to == "":
			one.Path = d.Name()
		}
		switch {
		case d.IsDir():
			one.Kind = cbfs.Directory
		case d.Type()&fs.ModeSymlink != 0:
			one.Kind = cbfs.Symlink
			one.Target, err = os.Readlink(full)
		case d.Type().IsRegular():
			one.Kind, one.Size = cbfs.File, uint64(info.Size())
			one.Open = func() (io.ReadCloser, error) { return os.Open(full) }
		default:
			err = fmt.Errorf("%q is neither a file, a link nor a folder", full)
		}
		changes = append(changes, one)
		return err
	})
	return changes, err
}

func (a *app) volumeGet() *cobra.Command {
	f := &fileFlags{}
	cmd := &cobra.Command{
		Use: "get VOLUME PATH [FILE]", Short: "Get a file of a volume; FILE is - for standard output", Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			to := path.Base(args[1])
			if len(args) == 3 {
				to = args[2]
			}
			if err := checkPath(args[1]); err != nil {
				return err
			}
			c, err := a.files(cmd.Context(), f, args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			s, err := c.Open(cmd.Context(), c.id)
			if err != nil {
				return err
			}
			if to == "-" {
				var whole bytes.Buffer // nothing is shown that is not the file
				if err := s.Read(cmd.Context(), args[1], &whole); err != nil {
					return err
				}
				_, err = whole.WriteTo(a.out)
				return err
			}
			if err := save(to, func(f *os.File) error { return s.Save(cmd.Context(), args[1], f) }); err != nil {
				return err
			}
			return a.show(map[string]string{"file": to}, "%s\n", to)
		},
	}
	f.register(cmd)
	return cmd
}

// save writes a file beside its place and renames it.
func save(name string, write func(f *os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// listed is an entry of a volume.
type listed struct {
	Path   string `json:"path"`
	Kind   string `json:"kind"`
	Size   uint64 `json:"size,omitempty"`
	Target string `json:"target,omitempty"`
	Hash   string `json:"content_hash,omitempty"`
}

// listFiles prints the entries of a volume, below a path where there is one.
func (a *app) listFiles(ctx context.Context, f *fileFlags, args []string) error {
	below := ""
	if len(args) == 2 {
		below = args[1]
	}
	if err := cbfs.CheckPrefix(below); err != nil {
		return usageError{fmt.Errorf("%q: %w", below, err)}
	}
	c, err := a.files(ctx, f, args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := c.Open(ctx, c.id)
	if err != nil {
		return err
	}
	list, text := []listed{}, &strings.Builder{}
	for e, err := range s.Entries(ctx, below) {
		if err != nil {
			return err
		}
		one := listed{Path: e.Path, Kind: "folder", Target: e.Target}
		switch e.Kind {
		case cbfs.File:
			one.Kind, one.Size, one.Hash = "file", e.Object.Size, wire.Hash(e.Object.ContentHash)
		case cbfs.Symlink:
			one.Kind = "link"
		}
		list = append(list, one)
		fmt.Fprintf(text, "%-6s %12d  %q\n", one.Kind, one.Size, one.Path)
	}
	if below != "" && len(list) == 0 {
		return fmt.Errorf("%q: %w", below, volume.ErrPath)
	}
	return a.show(list, "%s", text.String())
}

// volumeRemove adds the removal of files to that of volumes.
func (a *app) volumeRemove(whole *cobra.Command) *cobra.Command {
	f, volumes := &fileFlags{}, whole.RunE
	f.registerWrites(whole)
	whole.Args = cobra.RangeArgs(1, 2)
	whole.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return volumes(cmd, args)
		}
		if err := checkPath(args[1]); err != nil {
			return err
		}
		c, err := a.files(cmd.Context(), f, args[0])
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.Apply(cmd.Context(), c.id, []volume.Change{{Path: args[1], Remove: true}}); err != nil {
			return err
		}
		return a.show(map[string]string{"removed": args[1]}, "%q is removed\n", args[1])
	}
	return whole
}

// volumeShare lets somebody read, and says where everybody does.
//
// Spec: storage-cbfs §2.1 (public address), §2.5.
func (a *app) volumeShare() *cobra.Command {
	var to, prefix string
	var blocks uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "share VOLUME", Short: "Let somebody read a volume for a while; without --to, print where a public one is read", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := a.volumeOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			v, err := (api.Storage{Node: a.node()}).Volume(cmd.Context(), id)
			if err != nil {
				return err
			}
			if to == "" {
				if v.Private {
					return usageError{errors.New("a private volume is shared with somebody: --to ADDRESS")}
				}
				at := path.Join("/", v.Owner.String(), v.Name, prefix)
				return a.show(map[string]string{"address": at}, "%s\n", at)
			}
			who, err := parseAddress(to)
			if err != nil {
				return err
			}
			return a.share(cmd.Context(), flags, id, who, prefix, blocks)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "who may read")
	cmd.Flags().StringVar(&prefix, "prefix", "", "the paths it is for (all)")
	cmd.Flags().Uint64Var(&blocks, "blocks", 86_400, "for how many blocks")
	flags.register(cmd, volumeCycles, volumeCells)
	return cmd
}

func (a *app) share(ctx context.Context, flags *sendFlags, id digest.Hash, who account.Address, prefix string, blocks uint64) error {
	now, err := (api.Storage{Node: a.node()}).Height(ctx)
	if err != nil {
		return err
	}
	in := &tx.Execute{To: chain.Home(), Handler: []byte(systemvolume.HandlerGrant)}
	in.Payload, err = cbor.Append(nil, cbor.Map{
		{Key: "volume_id", Value: id[:]}, {Key: "grantee", Value: who[:]}, {Key: "access_mode", Value: cbfs.ReadOnly.String()},
		{Key: "path_prefix", Value: prefix}, {Key: "valid_until", Value: int64(now + blocks)},
	})
	if err != nil {
		return err
	}
	return a.sendAndShow(ctx, flags, in)
}
