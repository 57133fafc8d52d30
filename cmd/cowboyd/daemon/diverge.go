package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"sort"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// shownDifferences bounds the lines of one kind.
const shownDifferences = 20

// errDiverged ends the process with exitFailed after the report was written.
var errDiverged = errors.New("the two chains differ")

// divergeCommand compares two data directories.
func divergeCommand(s *settings, out io.Writer) *cobra.Command {
	validators := 1
	c := &cobra.Command{
		Use: "diverge DIR DIR", Short: "Say where two data directories differ: block, transaction, receipt, actor and key", Args: cobra.ExactArgs(2),
		Long: "Compare the chains of two data directories, of which no node may be running, and say where they differ first:\n" +
			"the block, the fields of its header, its transactions and receipts, and the keys of the state after it.\n" +
			"Exits 0 when one is a beginning of the other, 1 when they differ.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var chains [2]*ledger.Disk
			for i, dir := range args {
				if _, err := os.Stat(dir); err != nil {
					return err
				}
				own := *s
				own.dataDir = dir
				if err := own.load(cmd); err != nil {
					return err
				}
				spec, err := own.spec(validators)
				if err != nil {
					return usageError{err}
				}
				if chains[i], err = openStore(&own, spec, true, saying(out)); err != nil {
					return explain(&own, err)
				}
				defer chains[i].Close()
			}
			return diverge(chains[0], chains[1], out)
		},
	}
	c.Flags().IntVar(&validators, "validators", validators, "validators of the development network the directories are of")
	return c
}

// diverge reports the first difference of two chains. Blocks are chained by their hashes, so the first that differs is
// found by halving.
func diverge(a, b *ledger.Disk, out io.Writer) error {
	last := min(a.Header().Height, b.Header().Height)
	same := func(h unit.Height) (bool, error) {
		x, err := a.Block(h)
		if err != nil {
			return false, err
		}
		y, err := b.Block(h)
		return err == nil && x.Header.Hash() == y.Header.Hash(), err
	}
	equal, err := same(last)
	if err != nil {
		return err
	}
	if equal {
		_, err = fmt.Fprintf(out, "the same up to block %d; they end at %d and %d\n", last, a.Header().Height, b.Header().Height)
		return err
	}
	// low is the same, high is not. The genesis was checked when the directories were opened.
	low, high := max(a.First(), b.First()), last
	if low > 0 {
		if equal, err = same(min(low, last)); err != nil || !equal {
			return errors.Join(err, fmt.Errorf("they differ at block %d already, below which one of them holds nothing", min(low, last)))
		}
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		if equal, err = same(middle); err != nil {
			return err
		}
		if equal {
			low = middle
		} else {
			high = middle
		}
	}
	fmt.Fprintf(out, "the same up to block %d; block %d differs\n", low, high)
	if err := divergeBlock(a, b, high, out); err != nil {
		return err
	}
	return errDiverged
}

func divergeBlock(a, b *ledger.Disk, h unit.Height, out io.Writer) error {
	x, err := a.Block(h)
	if err != nil {
		return err
	}
	y, err := b.Block(h)
	if err != nil {
		return err
	}
	divergeHeader(&x.Header, &y.Header, out)
	for i := range max(len(x.Txs), len(y.Txs)) {
		p, q := "none", "none"
		if i < len(x.Txs) {
			p = x.Txs[i].SigningHash().String()
		}
		if i < len(y.Txs) {
			q = y.Txs[i].SigningHash().String()
		}
		if p != q {
			fmt.Fprintf(out, "transaction %d: %s and %s\n", i, p, q)
			break
		}
	}
	if err := divergeReceipts(a, b, h, out); err != nil {
		return err
	}
	return divergeState(a, b, h, out)
}

// divergeHeader lists the fields of two headers that differ.
func divergeHeader(x, y *block.Header, out io.Writer) {
	v, w := reflect.ValueOf(*x), reflect.ValueOf(*y)
	for i := range v.NumField() {
		p, q := v.Field(i).Interface(), w.Field(i).Interface()
		if !reflect.DeepEqual(p, q) && v.Field(i).Kind() != reflect.Pointer {
			fmt.Fprintf(out, "header %s: %v and %v\n", v.Type().Field(i).Name, p, q)
		}
	}
}

// divergeReceipts shows the first receipt that differs.
func divergeReceipts(a, b *ledger.Disk, h unit.Height, out io.Writer) error {
	x, err := a.Receipts(h)
	if err != nil {
		return err
	}
	y, err := b.Receipts(h)
	if err != nil {
		return err
	}
	for i := range max(len(x), len(y)) {
		var p, q *block.Receipt
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		if p != nil && q != nil && p.Hash() == q.Hash() {
			continue
		}
		fmt.Fprintf(out, "receipt %d:\n  %s\n  %s\n", i, receiptLine(p), receiptLine(q))
		return nil
	}
	return nil
}

func receiptLine(x *block.Receipt) string {
	if x == nil {
		return "none"
	}
	return fmt.Sprintf("%v %v from %v to %v: %v %d, %d cycles, %d cells, %d burned, %d events", x.Kind, x.ID, x.Sender, x.Target, x.Status,
		x.Fault.Code, x.CyclesUsed, x.CellsUsed, x.FeeBurned, len(x.Events))
}

// divergeState lists the keys that differ after a block.
func divergeState(a, b *ledger.Disk, h unit.Height, out io.Writer) error {
	x, err := a.At(h)
	if err != nil {
		_, err = fmt.Fprintf(out, "state: %v\n", err)
		return err
	}
	y, err := b.At(h)
	if err != nil {
		_, err = fmt.Fprintf(out, "state: %v\n", err)
		return err
	}
	if x.Root() == y.Root() {
		return nil
	}
	keys, total, err := differentKeys(x, y)
	if err != nil {
		return err
	}
	for _, key := range keys {
		p, _, err := x.Lookup(key)
		if err != nil {
			return err
		}
		q, _, err := y.Lookup(key)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s and %s\n", keyName(key), valueText(p), valueText(q))
	}
	_, err = fmt.Fprintf(out, "%d keys differ\n", total)
	return err
}

// differentKeys gives the first keys whose values differ, in order, and how many there are.
func differentKeys(x, y *state.Commit) (keys [][]byte, total int, err error) {
	note := func(key []byte) {
		total++
		if len(keys) < shownDifferences {
			keys = append(keys, key)
		}
	}
	compare := func(of, to *state.Commit, both bool) error {
		var failed error
		err := of.Scan(nil, nil, 0, func(key, value []byte) bool {
			other, ok, err := to.Lookup(key)
			if err != nil {
				failed = err
				return false
			}
			if !ok || both && !bytes.Equal(value, other) {
				note(key)
			}
			return true
		})
		return errors.Join(err, failed)
	}
	if err = compare(x, y, true); err == nil {
		err = compare(y, x, false)
	}
	sort.Slice(keys, func(i, j int) bool { return bytes.Compare(keys[i], keys[j]) < 0 })
	return keys, total, err
}

// keyName says whose a key is.
func keyName(key []byte) string {
	kind, addr, suffix, ok := account.SplitKey(key)
	if !ok {
		return fmt.Sprintf("key %x", key)
	}
	return fmt.Sprintf("actor %v kind %#02x key %q", addr, byte(kind), suffix)
}

func valueText(v []byte) string {
	const most = 64
	switch {
	case v == nil:
		return "absent"
	case len(v) > most:
		return fmt.Sprintf("%x… (%d bytes, %v)", v[:most], len(v), digest.Keccak256(v))
	}
	return fmt.Sprintf("%x", v)
}
