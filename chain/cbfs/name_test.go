package cbfs

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
)

// Spec: storage-cbfs §2.1 (public address).
func TestPublicAddresses(t *testing.T) {
	digits := strings.Repeat("ab", 20)
	of := account.Address(bytes.Repeat([]byte{0xab}, 20))
	if owner, name, err := ParsePublicAddress(PublicAddress(of, "docs")); owner != of || name != "docs" || err != nil {
		t.Error(owner, name, err)
	}
	for text, ok := range map[string]bool{
		"/0x" + digits + "/docs": true, "/0x" + strings.ToUpper(digits) + "/d.x": true, "0x" + digits + "/docs": false, "/" + digits + "/docs": false,
		"//0x" + digits + "/docs": false, "/0x" + digits: false, "/0x" + digits + "/": false, "/0x" + digits + "/docs/": false,
		"/0x" + digits + "//docs":    false,
		"/0x" + digits[1:] + "/docs": false, "/0x" + digits + "0/docs": false, "/0x0x" + digits[2:] + "/docs": false, "/0x" + digits + "/.docs": false,
		"": false, "/": false, "docs": false,
	} {
		t.Run(text, func(t *testing.T) {
			if owner, name, err := ParsePublicAddress(text); (err == nil) != ok || ok && (owner != of || name == "") || !ok && !errors.Is(err, ErrName) {
				t.Error(owner, name, err)
			}
		})
	}
}
