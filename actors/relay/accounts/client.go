package accounts

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// maxAnswer bounds what a relay may answer: 100 volumes, or one with all its tokens.
const maxAnswer = 4 << 20

// Errors of a client.
var (
	// ErrNodeID reports a relay that says it is another one than the one meant, and would have requests signed for that one.
	ErrNodeID = errors.New("the relay has another node_id than the one that is asked")
	// ErrAnswer reports an answer that is not of the account API.
	ErrAnswer = errors.New("that is no answer of the account API of a relay")
)

// Client asks a relay's account API for whom a certificate is of.
type Client struct {
	URL         string // as http://relay.example:4480
	Key         ed25519.PrivateKey
	Certificate []byte // wire form
	HTTP        *http.Client
	Now         func() time.Time
	// Trusts says whether a relay that is asked at URL may have a node_id: the chain has it. Error: ErrNodeID. nil trusts what the relay says.
	Trusts func(ctx context.Context, node digest.Hash) error
}

// Do sends a request with a challenge of its own and decodes the answer into reply, which may be nil. target is path and query; a body is a transaction.
// Errors: a *Refusal, ErrNodeID, ErrAnswer, or that the relay does not answer.
//
// Spec: storage-cbfs §3.4.
func (c *Client) Do(ctx context.Context, method, target string, body []byte, reply any) error {
	m, err := c.challenge(ctx)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.URL, "/")+target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/octet-stream")
	}
	m.Method, m.Target, m.Body, m.TimestampMs, m.Nonce = method, r.URL.RequestURI(), body, uint64(c.Now().UnixMilli()), nonce()
	m.Sign(c.Key, r.Header)
	return c.send(r, reply)
}

// nonce is 32 random hexadecimal digits.
func nonce() string {
	var raw [16]byte
	rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// challenge asks for a challenge, and gives a message that has it.
func (c *Client) challenge(ctx context.Context) (*Message, error) {
	at, err := url.JoinPath(c.URL, "/ras/challenge")
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set(HeaderDelegation, base64.StdEncoding.EncodeToString(c.Certificate))
	var given Challenge
	if err := c.send(r, &given); err != nil {
		return nil, err
	}
	id, err := hex.DecodeString(given.ID)
	raw, failed := base64.StdEncoding.DecodeString(given.Challenge)
	node, third := digest.ParseHash(given.NodeID)
	if errors.Join(err, failed, third) != nil || len(id) != IDSize || len(raw) != ChallengeSize {
		return nil, ErrAnswer
	}
	if c.Trusts != nil {
		if err := c.Trusts(ctx, node); err != nil {
			return nil, err
		}
	}
	return &Message{Node: node, Certificate: c.Certificate, ChallengeID: [IDSize]byte(id), Challenge: [ChallengeSize]byte(raw)}, nil
}

func (c *Client) send(r *http.Request, reply any) error {
	answer, err := c.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		refusal := &Refusal{Status: answer.StatusCode}
		if json.Unmarshal(text, &refusal.Reply) != nil || refusal.Reply.Code == 0 {
			return ErrAnswer
		}
		return refusal
	}
	if reply == nil {
		return nil
	}
	if json.Unmarshal(text, reply) != nil {
		return ErrAnswer
	}
	return nil
}
