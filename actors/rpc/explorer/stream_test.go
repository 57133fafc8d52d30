package explorer

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

var sessionID, streamID = digest.Hash{0x5e}, digest.Hash{0x57}

// Session implements Source.
func (f *fake) Session(id digest.Hash) (wire.Session, error) {
	if id != sessionID {
		return wire.Session{}, missing{}
	}
	who := actorAddress.String()
	return wire.Session{
		SessionID: wire.Hash(id), Payer: who, Runner: who, Deposit: 5_000_000_000, Spent: 1_250_000_000, LastVoucherNonce: 1_234, Status: hostile,
		FinalFrom: 4_321, ClosedAt: 7,
	}, nil
}

// Stream implements Source.
func (f *fake) Stream(id digest.Hash) (wire.Stream, error) {
	if id != streamID {
		return wire.Stream{}, missing{}
	}
	who := actorAddress.String()
	return wire.Stream{StreamID: wire.Hash(id), Actor: who, PublisherTreasury: who, FeePerKeyEpoch: 2_500_000_000, KeyEpochBlocks: 600, KeyEpoch: 41}, nil
}

// SealRequests implements Source.
func (f *fake) SealRequests(from uint64) (wire.SealRequests, error) {
	if from > 0 {
		return wire.SealRequests{}, nil
	}
	who := actorAddress.String()
	return wire.SealRequests{Requests: []wire.SealRequest{
		{Number: 3, StreamID: wire.Hash(streamID), Beneficiary: who, State: "expired", ToKeyEpoch: 9_876, Receipts: 3, Quorum: 4},
		{Number: 5, StreamID: wire.Hash(streamID), Beneficiary: who, State: "emitted"}, {Number: 4, StreamID: wire.Hash(txHash)},
	}, NextCursor: 50}, nil
}

// Subscriptions implements Source.
func (f *fake) Subscriptions(account.Address, *digest.Hash, int) (wire.Subscriptions, error) {
	return wire.Subscriptions{Subscriptions: []wire.Subscription{
		{Emitter: actorAddress.String(), TopicText: hostile, HandlerName: hostile, GasRemaining: 54_321, Bid: 1_500_000_000, Fires: 2, LastFault: 1005},
		{Emitter: actorAddress.String(), Topic: "00ff", HandlerName: "told", Fires: 1},
	}, NextCursor: "x"}, nil
}

// Orderbook implements Source.
func (f *fake) Orderbook(account.Address, []byte, int) (wire.Subscriptions, error) {
	return wire.Subscriptions{Subscriptions: []wire.Subscription{
		{Subscriber: cardAddress.String(), HandlerName: hostile, Bid: 7_000_000_000}, {Subscriber: cardAddress.String(), HandlerName: "told"},
	}, Count: 511}, nil
}

func (f *huge) Subscriptions(_ account.Address, _ *digest.Hash, limit int) (wire.Subscriptions, error) {
	v := wire.Subscriptions{Subscriptions: make([]wire.Subscription, limit), Count: 512}
	for i := range v.Subscriptions {
		v.Subscriptions[i] = wire.Subscription{Emitter: actorAddress.String(), Subscriber: actorAddress.String(), TopicText: megabyte, HandlerName: megabyte}
	}
	return v, nil
}

func (f *huge) Orderbook(a account.Address, _ []byte, limit int) (wire.Subscriptions, error) {
	return f.Subscriptions(a, nil, limit)
}

// The pages of sessions and streams, and what an actor's page says of subscriptions.
//
// Spec: gateway-payments-streams §D, §E, §H; node-rpc-cli §2.6.
func TestStreams(t *testing.T) {
	actor, session, stream := "account/"+actorAddress.String(), "session/"+wire.Hash(sessionID), "stream/"+wire.Hash(streamID)
	for _, x := range []struct{ page, want string }{
		{session, "1.25 CBY, by voucher 1\u202f234"}, {session, "from block 4\u202f321 on"}, {session, "&lt;script&gt;"}, {session, "<dt>Closed</dt>"},
		{stream, "2.5 CBY a key epoch"}, {stream, "41, of 600 blocks"}, {stream, `<span class="bad">expired</span>`}, {stream, "9\u202f876"},
		{stream, "<td>3 of 4</td>"}, {stream, "<td>not paid for</td>"},
		{stream, `href="?cursor=50"`}, {stream + "?cursor=50", "None of these requests is of this stream"},
		{actor, "54\u202f321"}, {actor, `<td class="num">1.5</td>`}, {actor, "E1005</a>"}, {actor, "ended well"}, {actor, "And more."},
		{actor, "511 of 512 subscriptions"}, {actor, `<td class="num">0</td><td><a`}, {actor, `<td class="num">7</td>`},
	} {
		t.Run(x.page+" "+x.want, func(t *testing.T) {
			r, body := get(t, New(&fake{top: 200}, nobody), Path+x.page)
			if r.StatusCode != 200 || !strings.Contains(body, x.want) || strings.Contains(body, hostile) {
				t.Errorf("%d, no %q in %s", r.StatusCode, x.want, body)
			}
		})
	}
	for _, path := range []string{"session/x", "session/" + wire.Hash(txHash), "stream/0x12", "stream/" + wire.Hash(txHash), stream + "?cursor=x"} {
		if r, _ := get(t, New(&fake{top: 200}, nobody), Path+path); r.StatusCode != http.StatusNotFound && r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
}
