package examples

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// publisher signs messages of a stream as anybody would: with the standard library's ed25519 over the deterministic CBOR of another library.
type publisher struct {
	t      *testing.T
	key    ed25519.PrivateKey
	number uint64
	stream digest.Hash
}

func newPublisher(t *testing.T, seed byte) *publisher {
	return &publisher{t: t, key: ed25519.NewKeyFromSeed(append(make([]byte, 31), seed)), number: 1}
}

func (p *publisher) hex() string { return hex.EncodeToString(p.key.Public().(ed25519.PublicKey)) }

func (p *publisher) encode(v any) []byte {
	p.t.Helper()
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		p.t.Fatal(err)
	}
	data, err := mode.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// message is the payload of publish for a plain price, after edit.
func (p *publisher) message(sequence uint64, body string, edit func(signed, sent map[string]any)) string {
	sum := sha256.Sum256([]byte(body))
	signed := map[string]any{
		"version": 1, "stream_id": p.stream[:], "sequence": sequence, "timestamp_unix_ms": 1_780_000_000_000, "kind": "price",
		"content_type": "application/json", "tags": map[string]any{"pair": "HAY/OAT", "lots": 12, "firm": true}, "payload_format": "PLAINTEXT",
		"payload_hash": sum[:], "signing_key_id": p.number,
	}
	sent := map[string]any{"payload_inline": []byte(body)}
	if edit != nil {
		edit(signed, sent)
	}
	for _, name := range []string{"timestamp_unix_ms", "kind", "tags", "payload_format", "signing_key_id", "sequence"} {
		if _, ok := sent[name]; !ok {
			sent[name] = signed[name]
		}
	}
	if epoch, ok := signed["key_epoch"]; ok && sent["key_epoch"] == nil {
		sent["key_epoch"] = epoch
	}
	sent["publisher_sig"] = ed25519.Sign(p.key, p.encode(signed))
	return string(p.encode(sent))
}

func asked(t *testing.T, c *testkit.Chain, actor account.Address, handler, payload string) map[string]any {
	t.Helper()
	out := c.Query(actor, handler, []byte(payload), nil)
	if out.Fault != nil {
		t.Fatalf("%s: %+v", handler, out.Fault)
	}
	var m map[string]any
	if err := cbor.Unmarshal(out.Return, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func feedOf(t *testing.T, alice *testkit.Account, p *publisher, terms string) account.Address {
	t.Helper()
	feed := alice.Deploy(source(t, "feed.py"), fmt.Appendf(nil, `{"publisher_key":"%s"%s}`, p.hex(), terms))
	p.stream = digest.Keccak256(feed[:], []byte("prices"))
	return feed
}

// TestFeed publishes what its publisher signed, whoever brings it, and nothing else; a rotated key signs from the next message on.
//
// Spec: gateway-payments-streams §E.1 (StreamMessage, key schedule), §E.2 (publish, rotate_publisher_key, get_since).
func TestFeed(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	first, second := newPublisher(t, 1), newPublisher(t, 2)
	feed := feedOf(t, alice, first, "")
	second.stream, second.number = first.stream, 2
	publish := func(by *testkit.Account, message string) string {
		r := by.Do(&tx.Execute{To: feed, Handler: []byte("publish"), Payload: []byte(message)}, 1_000_000, 100_000)
		if r.Fault.Code != 0 {
			return fmt.Sprint(r.Fault.Code)
		}
		return hex.EncodeToString(r.ReturnData)
	}
	expect(t, "brought by a stranger", publish(bob, first.message(1, `{"price":7}`, nil)), "01")
	expect(t, "again", publish(bob, first.message(1, `{"price":7}`, nil)), "1880")
	expect(t, "another's key", publish(alice, second.message(2, "x", func(signed, _ map[string]any) { signed["signing_key_id"] = 1 })), "1872")
	for what, edit := range map[string]func(signed, sent map[string]any){ // each changes what was signed
		"body":    func(_, sent map[string]any) { sent["payload_inline"] = []byte("y") },
		"time":    func(_, sent map[string]any) { sent["timestamp_unix_ms"] = 1 },
		"kind":    func(_, sent map[string]any) { sent["kind"] = "offer" },
		"tags":    func(_, sent map[string]any) { sent["tags"] = map[string]any{"pair": "HAY/RYE"} },
		"type":    func(_, sent map[string]any) { sent["content_type"] = "text/plain" },
		"stream":  func(signed, _ map[string]any) { signed["stream_id"] = make([]byte, 32) },
		"version": func(signed, _ map[string]any) { signed["version"] = 2 },
	} {
		t.Run(what, func(t *testing.T) { expect(t, what, publish(bob, first.message(2, "x", edit)), "1872") })
	}
	expect(t, "a float in tags", publish(bob, first.message(2, "x", func(signed, _ map[string]any) { signed["tags"] = map[string]any{"p": 1.5} })), "1880")
	expect(t, "a gap", publish(bob, first.message(3, "x", nil)), "1880")

	alice.Call(feed, "rotate_publisher_key", fmt.Sprintf(`{"public_key":"0x%s"}`, second.hex()))
	expect(t, "the old key", publish(bob, first.message(2, "x", nil)), "1872")
	expect(t, "the new key", publish(bob, second.message(2, "x", nil)), "02")
	expect(t, "the owner's own line", hex.EncodeToString([]byte(alice.Call(feed, "remark", "dear"))), "03")

	page := asked(t, c, feed, "get_since", `{"cursor":0}`)
	messages := page["messages"].([]any)
	if len(messages) != 3 || page["next_cursor"] != uint64(3) {
		t.Fatalf("%v", page)
	}
	kept := messages[1].(map[any]any)
	signature, body := kept["publisher_sig"].([]byte), kept["payload_inline"].([]byte)
	delete(kept, "publisher_sig")
	delete(kept, "payload_inline")
	if !ed25519.Verify(second.key.Public().(ed25519.PublicKey), second.encode(kept), signature) || string(body) != "x" {
		t.Error("what is kept does not verify")
	}
	key := asked(t, c, feed, "get_key_at_sequence", `{"sequence":1}`)
	expect(t, "the key of message 1", hex.EncodeToString(key["public_key"].([]byte)), first.hex())
}

// TestManagedFeed sells epochs: ciphertext of the epoch of the block alone, to the unit.
//
// Spec: gateway-payments-streams §E.1 (key_epoch, payload_inline), §E.2 (acquire_epoch_access, renew_subscription).
func TestManagedFeed(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	p := newPublisher(t, 1)
	const fee, bps, blocks = 1_001, 333, 20
	terms := fmt.Sprintf(`,"paid":{"fee_per_key_epoch_cby":%d,"protocol_fee_bps":%d,"key_epoch_blocks":%d}`, fee, bps, blocks)
	feed := feedOf(t, alice, p, terms)
	sealed := func(size int, epoch uint64) string {
		return p.message(1, string(make([]byte, size)), func(signed, _ map[string]any) {
			signed["payload_format"], signed["key_epoch"] = "CIPHERTEXT", epoch
		})
	}
	alice.Fund(feed, unit.CBY) // its reserve for rent is not for sale
	c.AdvanceTo(blocks + 2)    // the second of the epoch 1
	for _, x := range []struct {
		size  int
		epoch uint64
		code  uint16
	}{{39, 1, 1880}, {40, 0, 1880}, {40, 2, 1880}, {16_385, 1, 1873}, {16_384, 1, 0}} {
		t.Run(fmt.Sprint(x.size, " bytes of epoch ", x.epoch), func(t *testing.T) {
			r := bob.Do(&tx.Execute{To: feed, Handler: []byte("publish"), Payload: []byte(sealed(x.size, x.epoch))}, 1_000_000, 100_000)
			if code := r.Fault.Code; code != x.code {
				t.Errorf("%d, want %d", code, x.code)
			}
		})
	}
	refused(t, bob.Try(feed, "publish", p.message(2, "plain", nil)), "ciphertext")
	epoch := uint64(c.Height()+1) / blocks
	treasury, publisher, held := c.Balance(account.System(account.Treasury)), c.Balance(alice.Address()), c.Balance(feed)
	bob.CallWith(feed, "renew_subscription", fmt.Sprintf(`{"target_key_epoch":%d}`, epoch+6), 10_000)
	// 7 epochs of 1,001 are 7,007; 333 basis points of that are 233.33, so 233 for the protocol
	if got := c.Balance(account.System(account.Treasury)) - treasury; got != 233 {
		t.Errorf("the Treasury got %d", got)
	}
	if got := c.Balance(alice.Address()) - publisher; got != 7_007 {
		t.Errorf("the publisher got %d", got)
	}
	if got := c.Balance(feed); got != held {
		t.Errorf("the stream holds %d more", got-held)
	}
	short := bob.TryWith(feed, "renew_subscription", fmt.Sprintf(`{"target_key_epoch":%d}`, epoch+7), 1_033) // 1,001 and 33
	refused(t, short, "PAYMENT_REQUIRED")
	bob.CallWith(feed, "renew_subscription", fmt.Sprintf(`{"target_key_epoch":%d}`, epoch+7), 1_034)
}

// TestFollower is pushed messages that pass its filter, finds what it missed, and buys access with coins of its own.
//
// Spec: gateway-payments-streams §E.1 (Subscription), §E.2 (filters, push).
func TestFollower(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	p := newPublisher(t, 1)
	feed := feedOf(t, alice, p, "")
	follower := bob.Deploy(source(t, "follower.py"), []byte(feed.String()))
	bob.Call(follower, "follow", `{"mode":"PUSH","filter":{"field":"tags.lots","op":"gte","value":13}}`)
	for n, lots := range []int{12, 13, 14} {
		message := p.message(uint64(n+1), "x", func(signed, _ map[string]any) { signed["tags"] = map[string]any{"lots": lots} })
		alice.Do(&tx.Execute{To: feed, Handler: []byte("publish"), Payload: []byte(message)}, 1_000_000, 100_000)
	}
	c.AdvanceTo(c.Height() + 2)
	expect(t, "what it saw", hex.EncodeToString(c.Storage(follower, "seen")), "820203")
	for _, handler := range []string{"on_stream_message", "on_stream_behind"} {
		refused(t, alice.Try(follower, handler, "{}"), "not from the feed")
	}
	expect(t, "what it pulls", hex.EncodeToString([]byte(bob.Call(follower, "pull", "1"))), "8241784178")
	bob.Call(follower, "leave", "")
	bob.Call(follower, "follow", `{"mode":"PUSH_WITH_PULL_FALLBACK","start_cursor":0}`)
	alice.Call(feed, "deliver", "")
	alice.Call(feed, "deliver", "")
	c.AdvanceTo(c.Height() + 2)
	expect(t, "what it was told to pull", hex.EncodeToString(c.Storage(follower, "missed")), "81820102")

	feedOf(t, alice, p, `,"paid":{"fee_per_key_epoch_cby":1000,"protocol_fee_bps":250}`)
	expect(t, "its key", bob.Call(follower, "give_key", p.hex()), "\x01")
	bob.Fund(follower, unit.CBY)
	bob.Call(follower, "buy", fmt.Sprintf(`{"stream":"%s","epoch":2}`, hex.EncodeToString(p.stream[:])))
	if got := unit.CBY - c.Balance(follower); got != 3_075 {
		t.Errorf("three epochs cost %d", got)
	}
}
