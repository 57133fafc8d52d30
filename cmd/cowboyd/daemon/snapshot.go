package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
)

// snapshotPath is the operator's page with the newest proven state.
const snapshotPath = "/snapshot"

// sayEvery is how often a command says how far it is.
const sayEvery = 2 * time.Second

// snapshotCommand moves states between nodes in files.
func snapshotCommand(s *settings, out io.Writer) *cobra.Command {
	validators := 1
	c := &cobra.Command{
		Use: "snapshot", Short: "Export the state of a final block with its proof, or start a node from an exported state",
		Long: "Write the state of the newest block with a certificate of its own to a file, with all that proves it from the genesis on, or begin a\n" +
			"chain with such a file. Whoever imports one believes nobody: the ends of the epochs, the certificate, each operation and the state's root are\n" +
			"verified against the genesis before anything is replaced.",
	}
	c.PersistentFlags().StringVar(&s.configFile, "config", "", "configuration; the default is config.toml in the data directory")
	c.PersistentFlags().IntVar(&validators, "validators", 1, "of a development network: how many it has")
	export := &cobra.Command{
		Use: "export FILE", Short: "Write the newest proven state to a new file; the node may be running", Args: cobra.ExactArgs(1),
		Long: "Write the newest proven state to a new file. A node that runs is asked by its operator's port, [admin] listen in config.toml or --admin.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			return s.export(cmd.Context(), args[0], validators, out)
		},
	}
	export.Flags().StringVar(&s.admin, "admin", "", "the node's operator's port, such as 127.0.0.1:4100; the default is that of the configuration")
	load := &cobra.Command{
		Use: "import FILE", Short: "Replace the node's chain by an exported state, after verifying all of it", Args: cobra.ExactArgs(1),
		Long: "Replace the node's chain by an exported state, after verifying all of it; the node must not be running. Blocks before the\n" +
			"state's are not there afterwards. An import that is interrupted leaves the chain as it was, and the same command goes on where it stopped.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			return s.importFile(args[0], validators, out)
		},
	}
	show := &cobra.Command{
		Use: "show FILE", Short: "Print what an exported state holds; its proof is verified when it is imported", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return withFile(args[0], func(file io.Reader) error {
				id, held, err := catchup.Describe(file, args[0])
				if err != nil {
					return explainArchive(args[0], err)
				}
				_, err = fmt.Fprintf(out, "chain      %d\ngenesis    %v\nblock      %d\nepoch      %d\noperations %d\n",
					id.ChainID, id.Genesis, held.Height, held.Epoch, held.Operations)
				return err
			})
		},
	}
	c.AddCommand(export, load, show)
	return c
}

func withFile(path string, do func(io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(do(file), file.Close())
}

// identity names the chain of a genesis.
func identity(spec *genesis.Spec, chain *ledger.Disk) (store.Identity, error) {
	b, err := chain.Block(0)
	if err != nil {
		return store.Identity{}, err
	}
	return store.Identity{ChainID: spec.ChainID, Genesis: b.Hash()}, nil
}

// export writes a file that is complete or not there.
func (s *settings) export(ctx context.Context, to string, validators int, out io.Writer) (err error) {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists\n  name a file that does not exist", to)
	}
	if _, err := os.Stat(filepath.Join(s.dataDir, "chain")); err != nil {
		return fmt.Errorf("%s holds no chain\n  name the data directory of a node with --data-dir", s.dataDir)
	}
	part := to + ".part"
	file, err := os.Create(part)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	if err = s.exportTo(ctx, file, validators, out); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	var held catchup.Snapshot
	err = withFile(part, func(file io.Reader) error {
		_, held, err = catchup.Describe(file, part)
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Rename(part, to); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: the state of block %d, %d operations; `cowboyd snapshot import %s` on another node\n", to, held.Height, held.Operations, to)
	return err
}

// exportTo writes what the chain here holds, or what the node gives that has it open.
func (s *settings) exportTo(ctx context.Context, to io.Writer, validators int, out io.Writer) error {
	spec, err := s.spec(validators)
	if err != nil {
		return err
	}
	chain, err := openStore(s, spec, true, saying(out))
	if errors.Is(err, disk.ErrLocked) {
		return s.askSnapshot(ctx, to)
	}
	if err != nil {
		return explain(s, err)
	}
	id, err := identity(spec, chain)
	if err == nil {
		_, err = catchup.Export(to, id, chain, chain.Header().Height, chain.State(), progress(out, "written"))
	}
	return errors.Join(err, chain.Close())
}

// askSnapshot has the running node write.
func (s *settings) askSnapshot(ctx context.Context, to io.Writer) error {
	if s.admin == "" {
		return errors.New("the node runs and has no operator's port to ask for its state\n" +
			"  set listen = \"127.0.0.1:4100\" under [admin] in its config.toml and start it again, or stop it, or say --admin")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.admin+snapshotPath, nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("nobody answers on %s: %w\n  `cowboyd doctor` tells whether the node runs", s.admin, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(reply.Body, 1<<16))
		return fmt.Errorf("the node gives no state: %s", strings.TrimSpace(string(text)))
	}
	_, err = io.Copy(to, reply.Body)
	return err
}

// snapshotPage writes the newest proven state of a running node, one request at a time.
func snapshotPage(id store.Identity, chain *ledger.Handle) http.Handler {
	turn := make(chan struct{}, 1)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		default:
			http.Error(w, "another snapshot is being written; try again when it is done", http.StatusServiceUnavailable)
			return
		}
		tip := chain.Tip()
		begun := &begunWriter{to: w}
		if _, err := catchup.Export(begun, id, chain, tip.Header.Height, tip.State, nil); err != nil {
			if begun.begun {
				panic(http.ErrAbortHandler) // the reader sees that it is cut off
			}
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
}

// begunWriter knows whether anything was written.
type begunWriter struct {
	to    io.Writer
	begun bool
}

// Write implements io.Writer.
func (b *begunWriter) Write(p []byte) (int, error) {
	b.begun = true
	return b.to.Write(p)
}

// tools adds to the operator's pages what works on the node's files.
func (s *settings) tools(genesis digest.Hash, reads *ledger.Handle, chain ledger.Store, activity *index.Handle, pages http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pages)
	mux.Handle("GET "+snapshotPath, admin.Local(snapshotPage(store.Identity{ChainID: s.chainID, Genesis: genesis}, reads)))
	compact := admin.Local(s.compactPage(activity, chain))
	mux.Handle("GET "+compactPath, compact)
	mux.Handle("POST "+compactPath, compact)
	return mux
}

// progress says now and then how far something is.
func progress(out io.Writer, done string) func(at, all uint64) {
	next := time.Now().Add(sayEvery)
	return func(at, all uint64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(sayEvery)
			fmt.Fprintf(out, "%d of %d operations are %s\n", at, all, done)
		}
	}
}

// importFile verifies a file and puts its state in the chain's place.
func (s *settings) importFile(path string, validators int, out io.Writer) error {
	if s.memory {
		return usageError{errors.New("--memory keeps no chain")}
	}
	spec, err := s.spec(validators)
	if err != nil {
		return err
	}
	return withFile(path, func(file io.Reader) error {
		chain, err := openStore(s, spec, false, saying(out))
		if errors.Is(err, disk.ErrLocked) {
			return fmt.Errorf("the node of %s runs\n  stop it first: a state is imported while it stands still", s.dataDir)
		}
		if err != nil {
			return explain(s, err)
		}
		id, err := identity(spec, chain)
		var held catchup.Snapshot
		if err == nil {
			held, err = catchup.Import(file, path, id, chain, nil, progress(out, "verified"))
		}
		if err = errors.Join(err, chain.Close()); err != nil {
			return explainArchive(path, err)
		}
		_, err = fmt.Fprintf(out, "the chain begins with the state of block %d, verified against the genesis; start the node as before\n", held.Height)
		return err
	})
}

// explainArchive says what to do about a file that is not imported.
func explainArchive(path string, err error) error {
	var bad *catchup.ArchiveError
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("%s: %w\n  nothing was replaced; get the file again, or another", path, err)
	case errors.Is(err, catchup.ErrNotAhead):
		return fmt.Errorf("%s: %w\n  nothing was replaced; start the node: it goes on by itself", path, err)
	case errors.Is(err, disk.ErrFull):
		return fmt.Errorf("%w\n  nothing was replaced; free some space and import again: it goes on where it stopped", err)
	}
	return err
}
