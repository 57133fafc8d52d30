package block

import (
	"encoding/hex"
	"strings"
	"testing"
)

// first is n bytes in hexadecimal, the first of them b and the rest zero.
func first(b string, n int) string { return b + strings.Repeat("00", n-1) }

// The layouts written out by hand, field by field.
// Spec: WP §2.5; commonware §1.1, §2.1.
func TestLayouts(t *testing.T) {
	wantHeader := strings.Join([]string{
		"01",               // version
		"01",               // chain id
		"ac02",             // height 300
		"00",               // epoch
		"ad02",             // view 301
		"ab02",             // parent view 299
		first("01", 32),    // parent hash
		"8088ea9feb33",     // 1,781,136,000,000 ms
		"02",               // proposer index
		first("03", 20),    // proposer
		"01", "00", "ac02", // seed present, of round (0, 300)
		first("04", 96), // its signature
		first("05", 96), // VRF proof
		first("06", 32), // VRF output
		first("07", 32), // transaction root
		first("08", 32), // receipt root
		first("09", 32), // state root
		"904e",          // cycle basefee 10,000
		"914e",          // cell basefee 10,001
		"01", "02",      // cycles, cells used
		"03",                     // transactions
		"01", "0000000000000005", // votes for the parent present, of five validators
		"0f00000000000000", // the first four
		first("0a", 96),    // their sum
		"01",               // one entry of late votes
		"aa02", "02",       // for block 298, to commit it
		"0000000000000005", "1000000000000000", // of the last of five
		first("0b", 96), // their sum
	}, "")
	if got := hex.EncodeToString(header().Encode()); got != wantHeader {
		t.Errorf("header\n%s, want\n%s", got, wantHeader)
	}
	wantReceipt := strings.Join([]string{
		"03",                             // deferred
		first("01", 32), first("02", 32), // id, cause
		first("03", 20), first("04", 20), // sender, target
		"01",               // faulted
		"b109",             // fault 1201
		"8080808080808002", // value 2⁵⁰
		"ac02", "01",       // cycles, cells
		"808080808020", "05", // burned 2⁴⁰, tipped
		"02",                                      // events
		first("04", 20), "01", "54", "02", "7b7d", // actor, topic "T", data "{}"
		first("05", 20), "00", "00", // an event without topic and data
		"02", "6f6b", // return data "ok"
		"01", first("09", 20), // created
	}, "")
	if got := hex.EncodeToString(receipt().Encode()); got != wantReceipt {
		t.Errorf("receipt\n%s, want\n%s", got, wantReceipt)
	}
}
