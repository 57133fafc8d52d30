package gateway

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// charge is asked before a request reaches an actor. ok is false for one that is answered already. What serves the request writes to the writer and reads the
// request that come back, and calls finish at last: what it wrote reaches the client once the request is paid for.
//
// Spec: gateway-payments-streams §F (402; settle only after the handler's 2xx or 3xx).
func (d *Door) charge(
	w http.ResponseWriter, r *http.Request, host string, actor account.Address, body []byte,
) (to http.ResponseWriter, asks *http.Request, finish func(), ok bool) {
	nothing := func() {}
	r = r.Clone(r.Context())
	r.Header.Del(payerHeader) // the gateway's word alone
	r.Header.Del(paymentHeader)
	if d.Paywall == nil {
		return w, r, nothing, true
	}
	x, err := d.Paywall.of(r.Context(), actor)
	if err != nil {
		unreachable(w, err)
		return nil, nil, nil, false
	}
	if x.policy == nil || !x.policy.Enabled {
		return w, r, nothing, true
	}
	res := &payment.Resource{
		Gateway: d.Paywall.gateway, Actor: actor, Method: r.Method, Path: r.URL.Path, Rest: payment.Rest(host, r.URL.RawQuery, body),
	}
	url := urlOf(r, host)
	o, why := d.Paywall.offer(r.Header)
	c, verdict, err := (*charge)(nil), payment.Required, error(nil)
	if why == nil {
		c, verdict, err = d.Paywall.decide(r.Context(), x, res, o)
		why = err
	} else if price := x.policy.PriceOf(r.Method, r.URL.Path); price == nil || price.Mode == payment.Free || price.Amount.IsZero() {
		return w, r, nothing, true // a header that nobody asked for
	}
	switch {
	case verdict == payment.Unavailable:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "BUDGET_EXHAUSTED", "the actor's budget does not cover this request")
		return nil, nil, nil, false
	case verdict == payment.Required && (why == nil || isTold(why)):
		if why != nil && o != nil {
			o.failed(w.Header(), why)
		}
		d.Paywall.ask(w, x, res, host, url, why)
		return nil, nil, nil, false
	case why != nil:
		unreachable(w, why)
		return nil, nil, nil, false
	case c == nil:
		return w, r, nothing, true
	}
	if err := c.begin(r.Context()); err != nil {
		d.unpaid(w, c, host, url, err)
		return nil, nil, nil, false
	}
	if c.offered != nil {
		k := c.offered.payment.Key()
		r.Header.Set(payerHeader, k.Payer.String())
		r.Header.Set(paymentHeader, c.offered.name())
		r.Header.Del(headerSignature)
		if c.offered.mpp {
			r.Header.Del("Authorization")
		}
	}
	r.Header.Set("Prefer", "wait="+strconv.Itoa(int(maxWait.Seconds())))
	r = r.WithContext(context.WithoutCancel(r.Context())) // a client that goes away has paid all the same
	kept := &keptAnswer{header: w.Header().Clone(), status: http.StatusOK}
	return kept, r, func() { d.finish(w, kept, c, host, url) }, true
}

// isTold reports whether an error is about the payment, and not about the node.
func isTold(err error) bool {
	var refused *Refused
	return !errors.As(err, &refused) && !errors.Is(err, ErrBusy) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled)
}

// name is what a payment is known by: its form and its nonce.
func (o *offered) name() string {
	form := "intent"
	k := o.payment.Key()
	if k.Form == payment.ByAuthorization {
		form = "authorization"
	}
	return form + "/" + k.Nonce.String()
}

func urlOf(r *http.Request, host string) string {
	scheme := "https"
	if r.TLS == nil {
		scheme = "http"
	}
	return scheme + "://" + host + r.URL.RequestURI()
}

// unpaid answers a request whose payment the chain did not take.
func (d *Door) unpaid(w http.ResponseWriter, c *charge, host, url string, err error) {
	var refused *Refused
	if !errors.As(err, &refused) && !errors.Is(err, errUsed) {
		unreachable(w, err)
		return
	}
	c.offered.failed(w.Header(), err)
	if c.offered == nil && c.terms.policy.Budget.Unavailable {
		refuse(w, http.StatusServiceUnavailable, "BUDGET_EXHAUSTED", "the actor's budget does not cover this request")
		return
	}
	d.Paywall.ask(w, c.terms, c.resource, host, url, err)
}

// keptAnswer is an answer that waits for its payment.
type keptAnswer struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer // at most what an actor may answer
}

// Header implements http.ResponseWriter.
func (k *keptAnswer) Header() http.Header { return k.header }

// WriteHeader implements http.ResponseWriter.
func (k *keptAnswer) WriteHeader(status int) {
	if !k.wrote {
		k.status, k.wrote = status, true
	}
}

// Write implements http.ResponseWriter.
func (k *keptAnswer) Write(data []byte) (int, error) {
	k.wrote = true
	return k.body.Write(data)
}

// handled is the status that the actor's handler gave; 0 where none has answered yet.
func (k *keptAnswer) handled() int {
	if text := k.header.Get("X-Cowboy-Status"); text != "" {
		n, _ := strconv.Atoi(text)
		return n
	}
	if k.header.Get(errorHeader) != "" || k.status == http.StatusAccepted && strings.HasPrefix(k.header.Get("Location"), requestsPath) {
		return 0
	}
	return k.status
}

// finish settles the payment of a request that was answered well, and lets the answer go.
func (d *Door) finish(w http.ResponseWriter, k *keptAnswer, c *charge, host, url string) {
	status := k.handled()
	if id, ok := receipt.ParseID(k.header.Get(requestHeader)); ok && status == 0 && k.status == http.StatusAccepted {
		d.Paywall.owed.Add(id, true)
		go d.collect(id, c)
		k.send(w)
		return
	}
	defer c.end()
	if well(status) {
		hash, err := c.settle(context.Background())
		if err != nil {
			d.unpaid(w, c, host, url, err)
			return
		}
		c.tell(k.header, hash)
	}
	k.send(w)
}

// well reports whether a handler's status has it paid.
//
// Spec: gateway-payments-streams §F (settle only after 2xx or 3xx).
func well(status int) bool { return status >= 200 && status < 400 }

// send lets a kept answer go.
func (k *keptAnswer) send(w http.ResponseWriter) {
	h := w.Header()
	for key, values := range k.header { // order-free: a copy
		h[key] = values
	}
	w.WriteHeader(k.status)
	_, _ = w.Write(k.body.Bytes())
}

// collect waits for the answer of an actor that took longer than its client could wait, and settles the payment if it is a good one. Until then the answer is
// not shown. What is not answered before the payment's time is over is not paid for.
func (d *Door) collect(id receipt.ID, c *charge) {
	defer c.end()
	ctx, cancel := context.WithTimeout(context.Background(), quoteBlocks*collectEvery)
	defer cancel()
	for range quoteBlocks {
		if x, err := d.receipt(ctx, id); err == nil {
			response, err := d.response(ctx, &x)
			switch {
			case err == nil && response != nil && well(int(response.Status)):
				if _, err := c.settle(ctx); err == nil {
					d.Paywall.owed.Remove(id)
				}
				return
			case err == nil && (response != nil || x.Status == receipt.Failed.String() || x.Status == receipt.Completed.String()):
				d.Paywall.owed.Remove(id) // it failed, and says so
				return
			}
		}
		if !d.pause(ctx, collectEvery) {
			return
		}
	}
}

// owes reports whether the answer of a request is not paid for yet.
func (t *Paywall) owes(id receipt.ID) bool { return t != nil && t.owed.Contains(id) }
