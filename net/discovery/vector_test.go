package discovery

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// The messages as doc.go draws them, put together by hand; the signature is checked with the library alone.
func TestWireShapes(t *testing.T) {
	seed := make([]byte, 32)
	key, err := transport.KeyFromSeed(seed)
	if err != nil {
		t.Fatal(err)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	network := sha256.Sum256(append([]byte{4, 't', 'e', 's', 't'}, make([]byte, 32)...))
	if NetworkOf("test", [32]byte{}) != network {
		t.Error("network digest")
	}
	for ip, shape := range map[string]string{
		"1.2.3.4":     "04" + "01020304",
		"2001:db8::7": "06" + "20010db8000000000000000000000007",
	} {
		t.Run(ip, func(t *testing.T) {
			r := Sign(key, network, 0x0102, netip.AddrPortFrom(netip.MustParseAddr(ip), 3000))
			fields := hex.EncodeToString(public) + "0000000000000102" + shape + "0bb8"
			raw, err := hex.DecodeString(fields)
			if err != nil {
				t.Fatal(err)
			}
			signed := append(append([]byte("_COWBOY_NET_RECORD"), network[:]...), raw...)
			if !ed25519.Verify(public, signed, r.Signature[:]) {
				t.Error("the signature is over something else")
			}
			record := fields + hex.EncodeToString(r.Signature[:])
			if got := hex.EncodeToString((&message{kind: kindAdvert, records: []Record{r}}).encode()); got != "01"+record {
				t.Errorf("advert %s", got)
			}
			if got := hex.EncodeToString((&message{kind: kindFound, request: 9, records: []Record{r, r}}).encode()); got != "03"+"00000009"+"02"+record+record {
				t.Errorf("found %s", got)
			}
		})
	}
	find := message{kind: kindFind, request: 9, target: transport.ID{0xee}}
	if got := hex.EncodeToString(find.encode()); got != "02"+"00000009"+"ee"+strings.Repeat("00", 31) {
		t.Errorf("find %s", got)
	}
}
