package paid

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// Bounds of what strangers can have a runner do.
const (
	maxTalks   = 256 // at a time
	talksEach  = 32  // of them with one source
	maxLooks   = 32  // at the chain at a time
	askWithin  = 30 * time.Second
	payWithin  = 10 * time.Second
	sendWithin = 10 * time.Second
	answerFor  = 5 * time.Minute  // a whole answer
	readWithin = 10 * time.Second // of the chain

	// KeepBlocks is how long a session and its vouchers have to last: a runner settles before that.
	KeepBlocks unit.Height = 600
)

// Session is what the chain says of a session.
type Session struct {
	Payer, Runner account.Address
	Paid          voucher.Paid
	Advert        digest.Hash
	Expires       unit.Height
	Status        session.Status
}

// Chain is the chain as both sides see it.
type Chain interface {
	// Session reads a session, as of the newest final block whose height comes with it. session.ErrUnknown where there is none.
	Session(ctx context.Context, id digest.Hash) (Session, unit.Height, error)
}

// Model answers questions.
type Model interface {
	// Stream gives the parts of the answer as they come to each, until that fails.
	Stream(ctx context.Context, ask Ask, each func(text string) error) error
}

// Seller answers questions for vouchers. It is an http.Handler.
type Seller struct {
	Chain   Chain
	Model   Model
	Book    *Book
	Runner  account.Address
	ChainID uint64
	Prices  Prices

	talks *door.Shares // those that are not paid yet make room for sources that have fewer
	looks *door.Shares
}

// NewSeller makes one that nobody has asked yet.
func NewSeller(s Seller) *Seller {
	s.talks, s.looks = door.NewShares(maxTalks, talksEach), door.NewShares(maxLooks, 0)
	return &s
}

func (s *Seller) terms() Terms {
	return Terms{ChainID: s.ChainID, Runner: s.Runner.String(), Prices: s.Prices, Advert: s.Prices.Advert(s.ChainID, s.Runner).String()}
}

// ServeHTTP implements http.Handler.
func (s *Seller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, ok := strings.CutPrefix(r.URL.Path, Path)
	switch {
	case r.Method != http.MethodGet:
		http.Error(w, "this is read with GET", http.StatusMethodNotAllowed)
		return
	case r.URL.Path == TermsPath:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(s.terms())
		return
	case !ok:
		http.NotFound(w, r)
		return
	}
	id, err := digest.ParseHash(text)
	if err != nil {
		http.Error(w, "a session has 64 hexadecimal digits", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	source := door.SourceAt(r.RemoteAddr)
	place, ok := s.talks.Try(source, cancel)
	if !ok {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "the runner talks to as many as it can", http.StatusServiceUnavailable)
		return
	}
	defer place.Leave()
	t, err := s.open(ctx, source, id)
	if err != nil {
		status := http.StatusServiceUnavailable
		var refused *Refused
		if errors.As(err, &refused) {
			status = refused.Status
		}
		http.Error(w, err.Error(), status)
		return
	}
	defer t.release()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return
	}
	defer conn.CloseNow() //nolint:errcheck // it may be closed already
	conn.SetReadLimit(maxMessage)
	t.conn, t.place = conn, place
	if err := t.run(ctx); err == nil {
		_ = conn.Close(websocket.StatusNormalClosure, "")
	}
}

// Refused says why there is no conversation.
type Refused struct {
	Status int // of HTTP
	Why    string
}

// Error implements error.
func (r *Refused) Error() string { return r.Why }

// look asks the chain about a session.
func (s *Seller) look(ctx context.Context, source netip.Addr, id digest.Hash) (Session, unit.Height, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	place, err := s.looks.Wait(ctx, source, cancel)
	if err != nil {
		return Session{}, 0, err
	}
	defer place.Leave()
	return s.Chain.Session(ctx, id)
}

// open looks a session up for a connection. Sessions are public: it is the connection's alone once its payer has signed (talk.take).
//
// Spec: gateway-payments-streams §D (Session, 54).
func (s *Seller) open(ctx context.Context, source netip.Addr, id digest.Hash) (*talk, error) {
	on, now, err := s.look(ctx, source, id)
	switch {
	case errors.Is(err, session.ErrUnknown):
		return nil, &Refused{http.StatusNotFound, err.Error()}
	case err != nil:
		return nil, err
	case on.Runner != s.Runner:
		return nil, &Refused{http.StatusForbidden, "the session is for another runner"}
	case on.Status != session.Open:
		return nil, &Refused{http.StatusGone, "the session is " + on.Status.String()}
	case on.Expires < now+KeepBlocks:
		return nil, &Refused{http.StatusGone, "the session ends too soon"}
	case !on.Advert.IsZero() && on.Advert != s.Prices.Advert(s.ChainID, s.Runner):
		return nil, &Refused{http.StatusConflict, "the session was opened for other prices"}
	}
	owed, newest, err := s.Book.known(id)
	if err != nil {
		return nil, &Refused{http.StatusConflict, err.Error()}
	}
	t := &talk{seller: s, id: id, until: on.Expires, now: now, spent: on.Paid.Spent, owed: max(owed, on.Paid.Spent), newest: newest}
	t.told = t.owed
	t.running = voucher.Running{ChainID: s.ChainID, Session: id, Payer: on.Payer, Paid: on.Paid}
	if newest != nil {
		if v, by, err := newest.Voucher(); err == nil {
			_ = t.running.Accept(v, by, 0, 0) // one that the chain has already is not above what it paid
		}
	}
	return t, nil
}

// talk is a conversation, of its connection's goroutines.
type talk struct {
	seller  *Seller
	conn    *websocket.Conn
	id      digest.Hash
	until   unit.Height // the session's end
	now     unit.Height
	newest  *Signed
	running voucher.Running
	spent   unit.Amount // that the chain says
	told    unit.Amount // owed, as the terms said
	owed    unit.Amount // in all
	base    unit.Amount // owed before the first piece
	pieces  uint64
	usages  []usage // after each piece from first on
	first   uint64
	place   *door.Place
	taken   bool // the session is this connection's
}

// errMoved reports a session that another connection was paid for meanwhile.
var errMoved = errors.New("the session went on over another connection: begin anew")

// take makes the session this connection's. Until then it may be anybody's, who can hold up nobody else. Errors: ErrTaken, ErrFull, errMoved.
func (t *talk) take() error {
	if t.taken {
		return nil
	}
	owed, _, err := t.seller.Book.begin(t.id)
	if err != nil {
		return err
	}
	t.taken = true
	if max(owed, t.spent) != t.told {
		return errMoved
	}
	t.place.Keep(true)
	return nil
}

// release lets another connection have the session.
func (t *talk) release() {
	if t.taken {
		t.taken = false
		t.seller.Book.end(t.id)
	}
}

func (t *talk) send(ctx context.Context, m message) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return t.conn.Write(ctx, websocket.MessageText, data)
}

func (t *talk) receive(ctx context.Context, within time.Duration) (m message, data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_, data, err = t.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	return m, data, err
}

// errPay ends an answer that is not paid for.
var errPay = errors.New("the answer is not paid for")

// run holds a conversation.
func (t *talk) run(ctx context.Context) error {
	terms := t.seller.terms()
	terms.Owed, terms.Newest = uint64(t.owed), t.newest
	if err := t.send(ctx, message{Terms: &terms}); err != nil {
		return err
	}
	m, data, err := t.receive(ctx, askWithin)
	if err != nil || m.Ask == nil {
		return errors.Join(err, t.conclude(ctx, "a question comes first"))
	}
	start := begun(data)
	t.usages, t.first = []usage{start}, 0
	before := t.owed
	t.base = before + t.seller.Prices.Request
	if t.base < before {
		return t.conclude(ctx, "the price is no amount")
	}
	t.owed = t.base
	err = t.paid(ctx, t.base)
	if err == nil {
		err = t.take()
	}
	if err != nil { // nothing was done for it: the request is not owed
		t.owed = before
		return t.conclude(ctx, err.Error())
	}
	t.seller.Book.owe(t.id, t.owed)
	within, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	err = t.seller.Model.Stream(within, *m.Ask, func(text string) error { return t.piece(within, text) })
	why := ""
	if err != nil {
		why = err.Error()
	}
	if !errors.Is(err, errPay) {
		_ = t.paid(ctx, t.owed) // the rest, which is on its way; what does not come stays owed
	}
	return t.conclude(ctx, why)
}

// conclude says that there is no more. The session is free before the buyer knows.
func (t *talk) conclude(ctx context.Context, why string) error {
	t.release()
	return t.send(context.WithoutCancel(ctx), message{End: &ending{Pieces: t.pieces, Why: why}})
}

// piece sends a part of an answer once the ones before it are paid for but for Ahead.
func (t *talk) piece(ctx context.Context, text string) error {
	p := t.seller.Prices
	if len(text) > maxPiece {
		return errors.New("the model gave a piece that is too long")
	}
	next := t.owed + p.Piece
	if next < t.owed || next > t.running.Paid.Deposit {
		return errors.New("the deposit is used up")
	}
	if credit := unit.Amount(p.Ahead) * p.Piece; next > t.base+credit {
		if err := t.paid(ctx, next-credit); err != nil {
			return err
		}
	}
	t.pieces++
	t.owed = next
	t.usages = append(t.usages, t.usages[len(t.usages)-1].with(text))
	t.seller.Book.owe(t.id, next)
	return t.send(ctx, message{Piece: &piece{t.pieces, text, uint64(next)}})
}

// paid waits for vouchers until they come to so much.
//
// Spec: gateway-payments-streams §D (54).
func (t *talk) paid(ctx context.Context, least unit.Amount) error {
	for t.running.Paid.Spent < least {
		m, _, err := t.receive(ctx, payWithin)
		if err != nil {
			return errors.Join(errPay, err)
		}
		if m.Voucher == nil || m.Voucher.Signed == nil {
			return errors.New("a voucher was to come")
		}
		if err := t.accept(m.Voucher); err != nil {
			return err
		}
	}
	return nil
}

// accept holds a voucher to the conversation, to those before it, and to the end of the session.
func (t *talk) accept(p *payment) error {
	v, by, err := p.Signed.Voucher()
	if err != nil {
		return err
	}
	at := p.Pieces - t.first
	if p.Pieces < t.first || at >= uint64(len(t.usages)) || digest.Hash(t.usages[at]) != v.Usage {
		return errors.New("the voucher is for another answer")
	}
	if v.Expires < min(t.until, t.now+2*KeepBlocks) {
		return errors.New("the voucher expires too soon")
	}
	if err := t.running.Accept(v, by, 1, t.now); err != nil {
		return err
	}
	if err := t.take(); err != nil {
		return err
	}
	t.usages, t.first = t.usages[at:], p.Pieces
	t.seller.Book.take(t.id, v, by)
	return nil
}

// Bounds of connections that sell: of a request's head and whole, of what is read by nobody, and between two requests.
const (
	headWithin  = 5 * time.Second
	wholeWithin = 15 * time.Second
	writeWithin = 15 * time.Second
	idleFor     = time.Minute
	headBytes   = 16 << 10
)

// Connections bound those of whoever comes to the port: sixteen sources have to take as many as they may until another one waits.
var Connections = door.ConnectionLimits{Most: 512, Each: 32}

// NewServer gives the server of a handler. Its times end with a request; a conversation has its own.
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headWithin, ReadTimeout: wholeWithin, WriteTimeout: writeWithin, IdleTimeout: idleFor, MaxHeaderBytes: headBytes,
	}
}
