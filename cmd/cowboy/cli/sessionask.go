package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/runner/paid"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// sessionVouchers is where the newest voucher of each session is kept, in a project.
var sessionVouchers = filepath.Join(".cowboy", "sessions")

func (a *app) sessionTerms() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use: "terms", Short: "Print a runner's prices, and the hash to open a session with", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := paid.ReadTerms(cmd.Context(), http.DefaultClient, url)
			if err != nil {
				return err
			}
			return a.show(t, "Runner: %s\nPrice: %s CBY for a request, %s CBY for each piece of its answer, of which %d come before they are paid\n"+
				"Price advert: %s\n",
				t.Runner, t.Prices.Request.CBY(), t.Prices.Piece.CBY(), t.Prices.Ahead, t.Advert)
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "where the runner answers, as http://HOST:PORT")
	require(cmd, "url")
	return cmd
}

// asked is what came of a question.
type asked struct {
	Pieces uint64 `json:"pieces"`
	Paid   uint64 `json:"paid"` // base units
	Why    string `json:"why,omitempty"`
	Text   string `json:"text"`
}

func (a *app) sessionAsk() *cobra.Command {
	var id, url, key, most, price string
	p := paid.Purchase{}
	cmd := &cobra.Command{
		Use: "ask PROMPT", Short: "Ask a runner's model, and pay for each piece of the answer as it arrives", Args: cobra.ExactArgs(1),
		Long: "Ask a runner's model, and pay for each piece of the answer as it arrives, by vouchers of a session of yours. Only the newest voucher\n" +
			"has to reach the chain, which the runner sees to. A session that was opened without --price-advert needs --price.",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, _, health, err := a.running(cmd, id, key)
			if err != nil {
				return err
			}
			p.URL, p.Key, p.ChainID, p.Ask.Prompt = url, s, health.ChainID, args[0]
			if p.Session, err = parseHash(id); err != nil {
				return err
			}
			if p.On, _, err = (api.Sessions{Node: a.node()}).Session(cmd.Context(), p.Session); err != nil {
				return err
			}
			if p.Most, err = parseCBY(most); err != nil {
				return err
			}
			p.Agreed = func(asked paid.Prices) error {
				if price == "" {
					return errors.New("the session was opened for no prices: --price says what a piece may cost")
				}
				limit, err := parseCBY(price)
				if err == nil && asked.Piece > limit {
					err = fmt.Errorf("a piece costs %s CBY", asked.Piece.CBY())
				}
				return err
			}
			if p.Kept, err = keptVoucher(p.Session); err != nil {
				return err
			}
			p.Keep = func(v *paid.Signed) error { return keepVoucher(p.Session, v) }
			text := ""
			p.Each = func(piece string) {
				text += piece
				if !a.asJSON {
					_, _ = io.WriteString(a.out, piece)
				}
			}
			b, err := p.Buy(cmd.Context())
			if err != nil {
				return err
			}
			if b.Why != "" {
				return fmt.Errorf("%d pieces came, for %s CBY, and then: %s", b.Pieces, b.Paid.CBY(), b.Why)
			}
			return a.show(asked{b.Pieces, uint64(b.Paid), b.Why, text}, "\n%d pieces for %s CBY\n", b.Pieces, b.Paid.CBY())
		},
	}
	sessionFlag(cmd, &id)
	f := cmd.Flags()
	f.StringVar(&url, "url", "", "where the runner answers, as http://HOST:PORT")
	f.StringVar(&key, "key", "", "file of the payer's key")
	f.StringVar(&most, "most", "1", "CBY that this question may cost")
	f.StringVar(&price, "price", "", "CBY that a piece may cost, for a session without a price advert")
	f.StringVar(&p.Ask.Model, "model", "", "model_id (default: the runner's first)")
	f.StringVar(&p.Ask.System, "system", "", "what the model is told before")
	f.Uint64Var(&p.Ask.Most, "max-tokens", 0, "tokens of the answer at most; 0 for as many as the model likes")
	require(cmd, "url")
	return cmd
}

func voucherFile(id digest.Hash) string { return filepath.Join(sessionVouchers, id.Hex()+".json") }

// keptVoucher reads the newest voucher of a session that this machine has signed; nil for none.
func keptVoucher(id digest.Hash) (*paid.Signed, error) {
	data, err := os.ReadFile(voucherFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	v := new(paid.Signed)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	return v, err
}

// keepVoucher writes it, in the form of `cowboy session voucher`.
func keepVoucher(id digest.Hash, v *paid.Signed) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(sessionVouchers, 0o755)
	}
	if err == nil {
		err = os.WriteFile(voucherFile(id)+".next", append(data, '\n'), 0o644)
	}
	if err == nil {
		err = os.Rename(voucherFile(id)+".next", voucherFile(id))
	}
	return err
}
