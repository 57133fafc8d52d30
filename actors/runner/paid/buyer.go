package paid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ErrPrice reports terms that were not agreed on, or a bill that is not by them.
var ErrPrice = errors.New("the runner asks for other prices than were agreed on")

// answerWithin bounds the wait for one message of a runner.
const answerWithin = 2 * time.Minute

// Purchase is one question and how much it may cost.
type Purchase struct {
	URL     string // of the runner, http or https
	Session digest.Hash
	On      Session // as the chain has it
	Key     *sig.PrivateKey
	ChainID uint64
	Ask     Ask
	Most    unit.Amount           // for this question; beyond it nothing is paid
	Agreed  func(Prices) error    // whether the prices are agreed on, where the session was opened for none
	Each    func(text string)     // takes the parts of the answer
	Kept    *Signed               // the newest voucher that this side remembers
	Keep    func(v *Signed) error // remembers one before it is sent
	Client  *http.Client          // nil for the default
}

// Bought is what came of a purchase.
type Bought struct {
	Pieces uint64
	Paid   unit.Amount // for this question
	Why    string      // "" where the answer is whole
}

// ReadTerms asks a runner for its prices.
func ReadTerms(ctx context.Context, client *http.Client, url string) (t Terms, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+TermsPath, nil)
	if err != nil {
		return t, err
	}
	x, err := client.Do(r)
	if err != nil {
		return t, err
	}
	defer x.Body.Close()
	if x.StatusCode != http.StatusOK {
		return t, fmt.Errorf("the runner answers %s", x.Status)
	}
	return t, json.NewDecoder(io.LimitReader(x.Body, maxPiece)).Decode(&t)
}

// Buy asks a model and pays for each part of its answer when it is here. Errors: ErrPrice, *Refused, the connection's. What was bought until then is told.
//
// Spec: gateway-payments-streams §D (Voucher).
func (p *Purchase) Buy(ctx context.Context) (b Bought, err error) {
	conn, x, err := websocket.Dial(ctx, strings.TrimSuffix(p.URL, "/")+Path+p.Session.Hex(), &websocket.DialOptions{HTTPClient: p.Client})
	if err != nil {
		if x != nil && x.StatusCode != http.StatusSwitchingProtocols {
			text, _ := io.ReadAll(io.LimitReader(x.Body, 1024))
			return b, &Refused{x.StatusCode, strings.TrimSpace(string(text))}
		}
		return b, err
	}
	defer conn.CloseNow() //nolint:errcheck // it may be closed already
	conn.SetReadLimit(maxMessage)
	a := &buying{Purchase: p, conn: conn, bought: &b}
	return b, a.run(ctx)
}

// buying is a purchase under way.
type buying struct {
	*Purchase
	conn    *websocket.Conn
	bought  *Bought
	running voucher.Running
	prices  Prices
	start   unit.Amount // paid before
	base    unit.Amount // owed before the first piece
	usage   usage
}

func (a *buying) receive(ctx context.Context) (m message, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	_, data, err := a.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	return m, err
}

func (a *buying) send(ctx context.Context, m message) (data []byte, err error) {
	if data, err = json.Marshal(m); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return data, a.conn.Write(ctx, websocket.MessageText, data)
}

// agree takes the terms, and the newest voucher of those that the chain, the runner and this side know.
func (a *buying) agree(t *Terms) error {
	runner, err := account.ParseAddress(t.Runner)
	if err != nil || runner != a.On.Runner || t.ChainID != a.ChainID {
		return ErrPrice
	}
	a.prices = t.Prices
	if advert := t.Prices.Advert(a.ChainID, runner); !a.On.Advert.IsZero() {
		if advert != a.On.Advert {
			return ErrPrice
		}
	} else if err := a.Agreed(t.Prices); err != nil {
		return errors.Join(ErrPrice, err)
	}
	a.running = voucher.Running{ChainID: a.ChainID, Session: a.Session, Payer: a.Key.Address(), Paid: a.On.Paid}
	for _, s := range [...]*Signed{a.Kept, t.Newest} { // one that it did not sign, or an older one, is not taken
		if s != nil {
			if v, by, err := s.Voucher(); err == nil {
				_ = a.running.Accept(v, by, 0, 0)
			}
		}
	}
	a.start = a.running.Paid.Spent
	a.base = unit.Amount(t.Owed) + t.Prices.Request
	if owed := unit.Amount(t.Owed); a.base < owed || owed > a.start+unit.Amount(t.Prices.Ahead)*t.Prices.Piece {
		return fmt.Errorf("%w: it says that %s CBY are owed already", ErrPrice, owed.CBY())
	}
	return nil
}

// run holds the conversation.
func (a *buying) run(ctx context.Context) error {
	m, err := a.receive(ctx)
	if err != nil {
		return err
	}
	if m.Terms == nil {
		return ErrPrice
	}
	if err := a.agree(m.Terms); err != nil {
		return err
	}
	ask, err := a.send(ctx, message{Ask: &a.Ask})
	if err != nil {
		return err
	}
	a.usage = begun(ask)
	if err := a.pay(ctx, a.base); err != nil {
		return err
	}
	for {
		m, err := a.receive(ctx)
		switch {
		case err != nil:
			return err
		case m.End != nil:
			a.bought.Why = m.End.Why
			_ = a.conn.Close(websocket.StatusNormalClosure, "")
			return nil
		case m.Piece == nil:
			return errors.New("the runner says something that is no piece of an answer")
		}
		owed := a.base + unit.Amount(m.Piece.Number)*a.prices.Piece
		if m.Piece.Number != a.bought.Pieces+1 || unit.Amount(m.Piece.Owed) != owed {
			return ErrPrice
		}
		a.bought.Pieces++
		a.usage = a.usage.with(m.Piece.Text)
		a.Each(m.Piece.Text)
		if err := a.pay(ctx, owed); err != nil {
			return err
		}
	}
}

// pay signs for what is owed, if it is more than was paid.
func (a *buying) pay(ctx context.Context, owed unit.Amount) error {
	paid := a.running.Paid.Spent
	if owed <= paid {
		return nil
	}
	if owed-a.start > a.Most {
		return fmt.Errorf("%w: more than %s CBY", ErrPrice, a.Most.CBY())
	}
	v, by, err := a.running.Raise(a.Key, owed-paid, a.On.Expires, digest.Hash(a.usage))
	if err != nil {
		return err
	}
	signed := Sign(v, by)
	if err := a.Keep(signed); err != nil {
		return err
	}
	a.bought.Paid = owed - a.start
	_, err = a.send(ctx, message{Voucher: &payment{signed, a.bought.Pieces}})
	return err
}
