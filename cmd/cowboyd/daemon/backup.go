package daemon

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/net/book"
)

// backedUp is where that lies which a backup holds, by its name there: what nobody else has. Left out is what comes back from others (chain, index, peers),
// and the journal of votes: two of it would vote twice.
func (s *settings) backedUp() map[string]string {
	return map[string]string{
		config.File: s.configPath(), "genesis.json": s.genesisFile, "keys": s.ring().Dir, "shares": filepath.Join(s.dataDir, "shares"),
		signerFolder: s.signerDir(),
	}
}

// passing are files of those directories that belong to the running process alone.
var passing = []string{"lock", "next"}

// backupCommand copies what only this node has.
func backupCommand(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "backup DIR", Short: "Copy configuration, keys and shares into a new directory; the node may be running", Args: cobra.ExactArgs(1),
		Long: "Copy configuration, genesis, keys, shares of the network's key and the certificates of a signer into a new directory.\n" +
			"Keys and shares stay sealed.\n" +
			"The chain comes back from the other nodes. The journal of votes is left out: a node that starts with an old one votes twice.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			n, err := s.backup(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s in %s; keep it apart from the password, and never start a node on it while this one runs\n",
				plural(n, "file", "files"), args[0])
			return err
		},
	}
}

// backup copies and counts the files. The directory is complete or it is not there.
func (s *settings) backup(to string) (files int, err error) {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s exists\n  name a directory that does not exist", to)
	}
	if !s.hasConfig() {
		return 0, fmt.Errorf("there is no %s: %s is no configured node", s.configPath(), s.dataDir)
	}
	part := to + ".part"
	if err := errors.Join(os.RemoveAll(part), os.MkdirAll(part, 0o700)); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	for name, from := range s.backedUp() { // order-free: each goes to a place of its own
		n, err := copyAll(from, filepath.Join(part, name))
		if err != nil {
			return 0, err
		}
		files += n
	}
	if err := (book.File{Path: filepath.Join(part, "keys", "used")}).Save([]byte("A node has voted with these keys.\n")); err != nil {
		return 0, err
	}
	return files, os.Rename(part, to)
}

// copyAll copies a file or a directory. Each file is whole: it is replaced by renaming, or grows at its end, where half a frame is left out when it is
// read. One that is removed meanwhile, as an old share is, is not wanted any more.
func copyAll(from, to string) (files int, err error) {
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		inner := strings.TrimPrefix(path, from)
		if d.IsDir() {
			return os.MkdirAll(to+inner, 0o700)
		}
		if slices.Contains(passing, d.Name()) || strings.HasPrefix(d.Name(), "gone-") || !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		files++
		return book.File{Path: to + inner}.Save(data)
	})
	return files, err
}
