package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// maxReply bounds what a node may answer.
const maxReply = 32 << 20

// busyRest is the longest time after which a busy node is asked again.
const busyRest = 2 * time.Second

// Client talks to one node.
type Client struct {
	URL  string
	HTTP *http.Client
	// Tries is how often a busy node is asked, each time after as long as it says: five times unless a program that serves others lets them decide.
	Tries int
}

// New gives a client of the node at url.
func New(url string) *Client {
	return &Client{URL: strings.TrimRight(url, "/"), HTTP: &http.Client{Timeout: 30 * time.Second}, Tries: 5}
}

// Trusting gives the transport of a client that trusts, beside the system's, the certificates of a PEM file.
func Trusting(path string) (http.RoundTripper, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", path)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return transport, nil
}

// Unreachable says that no node answered.
type Unreachable struct {
	URL string
	Err error
}

func (e *Unreachable) Error() string {
	var untrusted *tls.CertificateVerificationError
	if errors.As(e.Err, &untrusted) {
		return fmt.Sprintf("the node at %s has a certificate that is not trusted (%v)\n  name the file of the one that signed it with --ca-file",
			e.URL, untrusted.Err)
	}
	if at, err := url.Parse(e.URL); err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return fmt.Sprintf("%q is no address of a node\n  write it like http://127.0.0.1:4000, with --rpc-url", e.URL)
	}
	return fmt.Sprintf("no node answers at %s (%v)\n  start one with `cowboyd`, or name another with --rpc-url", e.URL, rootCause(e.Err))
}

func (e *Unreachable) Unwrap() error { return e.Err }

func rootCause(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// StatusError is an answer other than 2xx.
type StatusError struct {
	Status int
	Reply  wire.Error
}

func (e *StatusError) Error() string {
	text := e.Reply.Message
	if text == "" {
		text = http.StatusText(e.Status)
	}
	if e.Reply.Why != "" {
		text += "\n  why: " + e.Reply.Why
	}
	if e.Reply.Fix != "" {
		text += "\n  fix: " + e.Reply.Fix
	}
	return text
}

// NotFound tells whether err is a 404.
func NotFound(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status == http.StatusNotFound
}

// Do sends a request and decodes a JSON answer into reply, which may be nil. What a busy node has not begun is sent again when it says.
func (c *Client) Do(ctx context.Context, method, path, contentType string, body []byte, reply any) error {
	for try := 1; ; try++ {
		later, err := c.once(ctx, method, path, contentType, body, reply)
		if later == 0 || try >= c.Tries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(later):
		}
	}
}

// once is one try of Do; later is the time after which a busy node is to be asked again.
func (c *Client) once(ctx context.Context, method, path, contentType string, body []byte, reply any) (later time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("Accept", "application/json")
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return 0, &Unreachable{c.URL, err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return 0, &Unreachable{c.URL, err}
	}
	if resp.StatusCode/100 != 2 {
		failure := &StatusError{Status: resp.StatusCode}
		if json.Unmarshal(text, &failure.Reply) != nil {
			failure.Reply.Message = strings.TrimSpace(string(text))
		}
		return busy(resp), failure
	}
	if reply == nil {
		return 0, nil
	}
	if err := json.Unmarshal(text, reply); err != nil {
		return 0, fmt.Errorf("%s%s answered something that is not the expected JSON: %w", c.URL, path, err)
	}
	return 0, nil
}

// busy is the time after which a node wants to be asked again, where it is short and nothing can have been done yet: one without a place for its answer has
// done what it was asked.
func busy(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.Request.Method != http.MethodGet {
		return 0
	}
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if later := time.Duration(seconds) * time.Second; err == nil && seconds > 0 && later <= busyRest {
		return later
	}
	return 0
}

// Read sends a GET request.
func (c *Client) Read(ctx context.Context, path string, reply any) error {
	return c.Do(ctx, http.MethodGet, path, "", nil, reply)
}

// Submit sends encoded transactions as a Submission. Spec: node-rpc-cli §3.
func (c *Client) Submit(ctx context.Context, submission []byte) (wire.SubmitReply, error) {
	var reply wire.SubmitReply
	err := c.Do(ctx, http.MethodPost, "/submit", "application/octet-stream", submission, &reply)
	return reply, err
}

// Faucet asks the node's faucet to fund an address. Spec: node-rpc-cli §2.5.
func (c *Client) Faucet(ctx context.Context, address string) (wire.Faucet, error) {
	var reply wire.Faucet
	body, _ := json.Marshal(map[string]string{"address": address})
	err := c.Do(ctx, http.MethodPost, "/faucet", "application/json", body, &reply)
	return reply, err
}

// Account reads an account; one that never received funds is empty, not an error. Spec: node-rpc-cli §2.3.
func (c *Client) Account(ctx context.Context, address string) (wire.Account, error) {
	var reply wire.Account
	err := c.Read(ctx, "/account/"+address, &reply)
	if NotFound(err) {
		return wire.Account{Address: address}, nil
	}
	return reply, err
}

// Receipt waits until the transaction is included, asking every interval, and gives its receipt.
func (c *Client) Receipt(ctx context.Context, hash string, interval time.Duration) (wire.Receipt, error) {
	for {
		var reply wire.Receipt
		err := c.Read(ctx, "/transaction/"+hash+"/receipt", &reply)
		if !NotFound(err) {
			return reply, err
		}
		select {
		case <-ctx.Done():
			return reply, fmt.Errorf("transaction %s was not included in time", hash)
		case <-time.After(interval):
		}
	}
}
