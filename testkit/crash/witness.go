package crash

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// witness remembers everything the node ever called finalized, and asks for it again after each restart.
type witness struct {
	client   *api.Client
	height   uint64
	hashes   map[uint64]string
	receipts map[string]string // identity → block height, status and events
	events   int
	cursor   string
}

func newWitness(client *api.Client) *witness {
	return &witness{client: client, hashes: map[uint64]string{}, receipts: map[string]string{}, cursor: "0.0"}
}

// recheck is how many of the newest blocks are asked for after a restart; older ones were asked for before.
const recheck = 64

func summary(r wire.Receipt) string {
	r.Finalized = false
	text, _ := json.Marshal(r)
	return string(text)
}

// check asks a restarted node for what it had finalized.
func (w *witness) check() error {
	ctx := context.Background()
	var now wire.Height
	if err := w.client.Read(ctx, "/height", &now); err != nil {
		return err
	}
	if now.Height < w.height {
		return fmt.Errorf("finalized height went back from %d to %d", w.height, now.Height)
	}
	from := uint64(0)
	if w.height > recheck {
		from = w.height - recheck
	}
	for h := from; h <= w.height; h++ {
		want, seen := w.hashes[h]
		if !seen {
			continue
		}
		var b wire.Block
		if err := w.client.Read(ctx, fmt.Sprintf("/block/height/%d", h), &b); err != nil {
			return fmt.Errorf("finalized block %d: %w", h, err)
		}
		if b.Hash != want {
			return fmt.Errorf("finalized block %d was %s, is %s", h, want, b.Hash)
		}
		for _, id := range append(b.Transactions, b.Executions...) {
			if err := w.compare(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *witness) compare(ctx context.Context, id string) error {
	want, seen := w.receipts[id]
	if !seen {
		return nil
	}
	var r wire.Receipt
	if err := w.client.Read(ctx, "/transaction/"+id+"/receipt", &r); err != nil {
		return fmt.Errorf("receipt %s: %w", id, err)
	}
	if got := summary(r); got != want {
		return fmt.Errorf("receipt %s was\n  %s\nis\n  %s", id, want, got)
	}
	return nil
}

// watch follows the stream until the node is killed or ctx ends, and finds a transaction that is executed twice.
func (w *witness) watch(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.client.URL+"/stream?kinds=blocks,receipts&cursor="+w.cursor, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 16<<20)
	kind, id, data := "", "", ""
	var waiting []wire.Receipt // of the block whose own message has not come yet
	for lines.Scan() {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			id = text
		} else if text, ok := strings.CutPrefix(line, "event: "); ok {
			kind = text
		} else if text, ok := strings.CutPrefix(line, "data: "); ok {
			data = text
		}
		if line != "" || data == "" {
			continue // a message counts once its empty line has come: the kill may cut one anywhere
		}
		switch kind {
		case "lagged":
			return errors.New("the stream skipped blocks")
		case "receipt":
			var r wire.Receipt
			if err := json.Unmarshal([]byte(data), &r); err != nil {
				return err
			}
			waiting = append(waiting, r)
		case "block":
			if err := w.block([]byte(data), waiting); err != nil {
				return err
			}
			waiting, w.cursor = nil, id
		}
		data = ""
	}
	return nil
}

func (w *witness) block(text []byte, receipts []wire.Receipt) error {
	var b wire.Block
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	if w.height != 0 && b.Height != w.height+1 {
		return fmt.Errorf("block %d follows block %d", b.Height, w.height)
	}
	for _, r := range receipts {
		if _, seen := w.receipts[r.TransactionHash]; seen {
			return fmt.Errorf("%s %s was executed twice, again in block %d", r.Kind, r.TransactionHash, b.Height)
		}
		w.receipts[r.TransactionHash] = summary(r)
		w.events += len(r.Events)
	}
	w.height = b.Height
	w.hashes[b.Height] = b.Hash
	return nil
}

func (w *witness) result() Result { return Result{w.height, len(w.receipts), w.events} }
