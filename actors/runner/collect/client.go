package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// ErrNowhere reports an aggregator that takes no reveals of others, as far as the chain tells.
var ErrNowhere = errors.New("collect: the aggregator has no endpoint of http or https")

// Directory says where a runner is reached, as it is registered; "" for nowhere.
type Directory interface {
	Endpoint(ctx context.Context, who account.Address) (string, error)
}

// Client hands reveals to aggregators.
type Client struct {
	directory Directory
	http      *http.Client
}

var _ runner.Peers = (*Client)(nil)

// NewClient gives a client that goes to public addresses, and to those of the ranges that are allowed besides.
func NewClient(d Directory, allowed []netip.Prefix) *Client {
	way := work.Public(allowed)
	way.ResponseHeaderTimeout, way.MaxResponseHeaderBytes, way.MaxConnsPerHost = 5*time.Second, headBytes, 2
	return &Client{d, &http.Client{Transport: way, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// Hand implements runner.Peers.
//
// Spec: CIP-2 §8 (collect); runner-marketplace §2.5 (endpoint).
func (c *Client) Hand(ctx context.Context, to account.Address, id digest.Hash, reveal *verify.Reveal) (runner.Reply, error) {
	at, err := c.directory.Endpoint(ctx, to)
	if err != nil {
		return runner.Declined, err
	}
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return runner.Declined, ErrNowhere
	}
	where := strings.TrimSuffix(u.Scheme+"://"+u.Host+u.EscapedPath(), "/") + "/reveals/" + id.Hex()
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, where, bytes.NewReader(encode(reveal)))
	if err != nil {
		return runner.Declined, err
	}
	ask.Header.Set("Content-Type", "application/octet-stream")
	answer, err := c.http.Do(ask)
	if err != nil {
		return runner.Declined, err
	}
	defer func() { _ = answer.Body.Close() }()
	switch answer.StatusCode {
	case http.StatusAccepted:
		return runner.Promised, nil
	case http.StatusTooEarly:
		return runner.Early, nil
	}
	why, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
	return runner.Declined, fmt.Errorf("collect: it answers %d: %q", answer.StatusCode, why)
}
