package explorer

import (
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// How many topics an actor's page asks who follows, and how many rows each has.
const (
	bookTopics = 4
	bookRows   = 8
)

// StreamSource is what the pages of sessions, streams and subscriptions read.
type StreamSource interface {
	Session(id digest.Hash) (wire.Session, error)
	Stream(id digest.Hash) (wire.Stream, error)
	SealRequests(from uint64) (wire.SealRequests, error)
	Subscriptions(of account.Address, after *digest.Hash, limit int) (wire.Subscriptions, error)
	Orderbook(emitter account.Address, topic []byte, limit int) (wire.Subscriptions, error)
}

// followers are those who are told of an actor's events of a topic, in the order of the next emit.
type followers struct {
	Topic string
	Count uint64
	First []wire.Subscription
}

// followParts notes what an actor has subscribed to, and who is told of the topics of its newest events.
//
// Spec: gateway-payments-streams §H.1, §H.2 (get_topic_orderbook).
func (s *site) followParts(addr account.Address, p *accountPage) error {
	list, err := s.source.Subscriptions(addr, nil, partRows)
	if err != nil {
		return err
	}
	p.Subscriptions, p.MoreSubscriptions = list.Subscriptions, list.NextCursor != ""
	var topics []string
	for _, e := range p.Events {
		if !slices.Contains(topics, e.Topic) && len(topics) < bookTopics {
			topics = append(topics, e.Topic)
		}
	}
	for _, topic := range topics {
		book, err := s.source.Orderbook(addr, topicBytes(topic), bookRows)
		if err != nil {
			return err
		}
		if book.Count > 0 {
			p.Followers = append(p.Followers, followers{topic, book.Count, book.Subscriptions})
		}
	}
	return nil
}

// topicBytes is a topic as an event of the interface has it: text, or 0x and hexadecimal digits.
func topicBytes(topic string) []byte {
	if digits, ok := strings.CutPrefix(topic, "0x"); ok {
		if raw, err := hex.DecodeString(digits); err == nil {
			return raw
		}
	}
	return []byte(topic)
}

// session is the page of a session of payment.
//
// Spec: gateway-payments-streams §D.
func (s *site) session(r *http.Request) (view, error) {
	id, err := parseHash(r.PathValue("hash"))
	if err != nil {
		return view{}, errHash
	}
	v, err := s.source.Session(id)
	if err != nil {
		return view{}, err
	}
	return view{Page: "session", Title: "Session " + short(v.SessionID), Active: "blocks", Live: true, Data: &v}, nil
}

// streamPage is a managed stream, and the newest page of what the committee is asked to seal for it.
type streamPage struct {
	wire.Stream
	Requests []wire.SealRequest
	Next     uint64
}

// stream is the page of a managed stream.
//
// Spec: gateway-payments-streams §E.
func (s *site) stream(r *http.Request) (view, error) {
	id, err := parseHash(r.PathValue("hash"))
	if err != nil {
		return view{}, errHash
	}
	after, err := strconv.ParseUint("0"+r.URL.Query().Get("cursor"), 10, 64)
	if err != nil {
		return view{}, errUnknown
	}
	p := streamPage{}
	if p.Stream, err = s.source.Stream(id); err != nil {
		return view{}, err
	}
	list, err := s.source.SealRequests(after)
	if err != nil {
		return view{}, err
	}
	for _, q := range list.Requests {
		if q.StreamID == p.StreamID {
			p.Requests = append(p.Requests, q)
		}
	}
	p.Next = list.NextCursor
	return view{Page: "stream", Title: "Stream " + short(p.StreamID), Active: "actors", Live: after == 0, Data: &p}, nil
}
