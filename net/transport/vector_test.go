package transport

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// The hello, the answer and the frame as doc.go draws them, put together by hand.
func TestWireShapes(t *testing.T) {
	g := hello{high: 1, low: 1, purpose: Lookup, instance: 0x0102030405060708, network: "cow", agent: "a", listen: 3000}
	g.genesis[0], g.genesis[31] = 0xaa, 0xbb
	want := "43574259" + // CWBY
		"0001" + "0001" + "01" + "0102030405060708" +
		"aa" + strings.Repeat("00", 30) + "bb" +
		"03" + "636f77" + "01" + "61" + "0bb8"
	if got := hex.EncodeToString(g.encode()); got != want {
		t.Errorf("hello\n%s, want\n%s", got, want)
	}
	taken := hex.EncodeToString(answer{hello: g}.encode())
	if taken != "39"+want+"00" { // 4+2+2+1+8+32+4+2+2 = 57 bytes
		t.Errorf("answer %s", taken)
	}
	refused := hex.EncodeToString(answer{hello: g, refusal: &Refusal{Code: CodeFull, Text: "no"}}.encode())
	if refused != "39"+want+"01"+"0007"+"02"+"6e6f" {
		t.Errorf("refusal %s", refused)
	}
	if got := append(appendLength(nil, 300), "…"...); !bytes.HasPrefix(got, []byte{0xac, 0x02}) {
		t.Errorf("length of 300: %x", got[:2])
	}
}

// Numbers that cross the wire are fixed by their order in the source; this holds them.
func TestWireNumbers(t *testing.T) {
	for n, c := range []Channel{Discovery, Consensus, Transactions, Blocks, Sync} {
		if int(c) != n {
			t.Errorf("%v is %d", c, n)
		}
	}
	for n, c := range []Code{
		CodeClosing, CodeNetwork, CodeGenesis, CodeVersion, CodeMalformed, CodeIdentity, CodeSelf, CodeFull, CodeCrowded, CodeBlocked,
		CodeDuplicate, CodeFrame, CodeStream, CodeStalled, CodeTimeout, CodeMisconduct, CodeDone,
	} {
		if int(c) != n || strings.HasPrefix(c.String(), "code(") {
			t.Errorf("%v is %d, want %d", c, int(c), n)
		}
	}
}
