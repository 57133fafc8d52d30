package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
)

// compactPath is the operator's page about files with unused space.
const compactPath = "/compact"

// spareBytes stay free on the disk while a copy is made: the node goes on writing.
const spareBytes = 256 << 20

// spaceOf is what a file takes. Now is what it took after it was made anew; 0 before.
type spaceOf struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Unused int64  `json:"unused_bytes"`
	Now    int64  `json:"now_bytes,omitempty"`
}

func (x spaceOf) String() string {
	text := fmt.Sprintf("%s: %s, of which %s are unused", x.File, bytesText(x.Bytes), bytesText(x.Unused))
	if x.Now > 0 {
		return fmt.Sprintf("%s: %s, %s are given back", x.File, bytesText(x.Now), bytesText(max(x.Bytes-x.Now, 0)))
	}
	return text + fmt.Sprintf("; a copy of %s at most is made beside it", bytesText(boltfile.Space{Bytes: x.Bytes, Unused: x.Unused}.Needs()))
}

func bytesText(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// compactable is a file that can be made anew without what is unused in it.
type compactable struct {
	name    string
	space   func() (boltfile.Space, error)
	compact func(free int64) error
}

// look says what the files take.
func look(files []compactable) (list []spaceOf, err error) {
	for _, f := range files {
		s, err := f.space()
		if err != nil {
			return nil, err
		}
		list = append(list, spaceOf{File: f.name, Bytes: s.Bytes, Unused: s.Unused})
	}
	return list, nil
}

// compact makes the files anew, one after the other.
func compact(dir string, files []compactable) (list []spaceOf, err error) {
	if list, err = look(files); err != nil {
		return nil, err
	}
	for i, f := range files {
		free, err := admin.Free(dir)
		if err != nil {
			return nil, err
		}
		if err := f.compact(int64(free) - spareBytes); err != nil {
			return nil, err
		}
		now, err := f.space()
		if err != nil {
			return nil, err
		}
		list[i].Now = now.Bytes
	}
	return list, nil
}

// compactPage looks at the files of a running node upon GET and makes them anew upon POST, one request at a time.
func (s *settings) compactPage(handle *index.Handle, chain ledger.Store) http.Handler {
	files := []compactable{{"index.db", handle.Space, handle.Compact}}
	if c, ok := chain.(ledger.Compacter); ok {
		files = append(files, compactable{"chain/image", c.ImageSpace, c.CompactImage})
	}
	var turn sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.memory {
			http.Error(w, "this node keeps nothing on disk", http.StatusConflict)
			return
		}
		if !turn.TryLock() {
			http.Error(w, "it is under way already", http.StatusConflict)
			return
		}
		defer turn.Unlock()
		list, err := look(files)
		if r.Method == http.MethodPost && err == nil {
			list, err = compact(s.dataDir, files)
		}
		if err != nil {
			http.Error(w, err.Error()+"; nothing was changed in what is not done", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	})
}

// compactCommand gives unused space of files back, whether the node runs or not.
func compactCommand(s *settings, out io.Writer) *cobra.Command {
	validators, dry := 1, false
	c := &cobra.Command{
		Use: "compact", Short: "Shrink the node's files to what is in use; the node may be running", Args: cobra.NoArgs,
		Long: "Copy the index and the file of checkpoints without what is unused in them, one after the other, and put the copies in their places.\n" +
			"What that takes is said before; without room it is not begun. A node that runs is asked by its operator's port, [admin] listen\n" +
			"in config.toml or --admin; it goes on meanwhile.\n" +
			"A crash leaves the old file or the new one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			return s.compactAll(cmd.Context(), validators, dry, out)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "print what the copies would take, and do nothing")
	c.Flags().StringVar(&s.configFile, "config", "", "configuration; the default is config.toml in the data directory")
	c.Flags().IntVar(&validators, "validators", 1, "of a development network: how many it has")
	c.Flags().StringVar(&s.admin, "admin", "", "the node's operator's port, such as 127.0.0.1:4100; the default is that of the configuration")
	return c
}

func (s *settings) compactAll(ctx context.Context, validators int, dry bool, out io.Writer) error {
	if _, err := os.Stat(filepath.Join(s.dataDir, "chain")); err != nil {
		return fmt.Errorf("%s holds no chain\n  name the data directory of a node with --data-dir", s.dataDir)
	}
	free, err := admin.Free(s.dataDir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s are free on the disk\n", bytesText(int64(free)))
	spec, err := s.spec(validators)
	if err != nil {
		return err
	}
	chain, err := openStore(s, spec, true, saying(out))
	if errors.Is(err, disk.ErrLocked) {
		return s.askCompact(ctx, dry, out)
	}
	if err != nil {
		return explain(s, err)
	}
	image := compactable{"chain/image", chain.ImageSpace, chain.CompactImage}
	if err := s.show([]compactable{image}, dry, out); err != nil {
		return errors.Join(err, chain.Close())
	}
	b, err := chain.Block(0)
	if err = errors.Join(err, chain.Close()); err != nil {
		return err
	}
	path := filepath.Join(s.dataDir, "index.db")
	if _, err := os.Stat(path); err != nil {
		return nil // it was never made
	}
	errDry := errors.New("dry")
	x := spaceOf{File: "index.db"}
	now, err := index.Compact(path, b.Hash(), int64(free)-spareBytes, func(found boltfile.Space) error {
		x.Bytes, x.Unused = found.Bytes, found.Unused
		fmt.Fprintln(out, x)
		if dry {
			return errDry
		}
		return nil
	})
	if errors.Is(err, errDry) {
		return nil
	}
	if err != nil {
		return explainSpace(err)
	}
	x.Now = now.Bytes
	_, err = fmt.Fprintln(out, x)
	return err
}

// show says what files take, and makes them anew unless that is all.
func (s *settings) show(files []compactable, dry bool, out io.Writer) error {
	list, err := look(files)
	if err != nil {
		return err
	}
	for _, x := range list {
		fmt.Fprintln(out, x)
	}
	if dry {
		return nil
	}
	if list, err = compact(s.dataDir, files); err != nil {
		return explainSpace(err)
	}
	for _, x := range list {
		fmt.Fprintln(out, x)
	}
	return nil
}

func explainSpace(err error) error {
	if errors.Is(err, boltfile.ErrSpace) {
		return fmt.Errorf("%w\n  the file is as it was; free some space (%s stay free for the node) and try again", err, bytesText(spareBytes))
	}
	return err
}

// askCompact has the running node do it.
func (s *settings) askCompact(ctx context.Context, dry bool, out io.Writer) error {
	methods := []string{http.MethodGet, http.MethodPost}
	if dry {
		methods = methods[:1]
	}
	if s.admin == "" {
		return errors.New("the node runs and has no operator's port\n" +
			"  set listen = \"127.0.0.1:4100\" under [admin] in its config.toml and start it again, or stop it, or say --admin")
	}
	for _, method := range methods {
		request, err := http.NewRequestWithContext(ctx, method, "http://"+s.admin+compactPath, nil)
		if err != nil {
			return err
		}
		reply, err := (&http.Client{Timeout: time.Hour}).Do(request)
		if err != nil {
			return fmt.Errorf("nobody answers on %s: %w\n  `cowboyd doctor` tells whether the node runs", s.admin, err)
		}
		text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
		if err = errors.Join(err, reply.Body.Close()); err != nil {
			return err
		}
		if reply.StatusCode != http.StatusOK {
			return fmt.Errorf("the node refuses: %s", strings.TrimSpace(string(text)))
		}
		var list []spaceOf
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		for _, x := range list {
			fmt.Fprintln(out, x)
		}
	}
	return nil
}
