package gateway

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Bodies and answers take three times their bytes from the memory, three quarters of which a gateway may have: at the bound all goes well, a byte beyond it is
// answered with 503 and reaches nobody. Whatever happens, all of it is given back.
//
// Spec: gateway-payments-streams §B (limits).
func TestRoomForBodies(t *testing.T) {
	for name, c := range map[string]struct {
		method       string
		sent, answer int
		memory       int64
		status       int
	}{
		"a body that fits":        {http.MethodGet, 40, 0, 400, 200}, // and an answer of some 70 bytes beside it
		"a body too many":         {http.MethodGet, 40, 0, 159, 503},
		"a body at the bound":     {http.MethodPost, 40, 0, 160, 202},
		"an answer that fits":     {http.MethodGet, 0, 40, 800, 200},
		"an answer too many":      {http.MethodGet, 0, 40, 160, 503},
		"a body that is too long": {http.MethodPost, 101, 0, 10_000, 413},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.query = func(cbor.Map, *Question) (cbor.Map, error) {
				return cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: strings.Repeat("y", c.answer)}}, nil
			}
			memory := budget.NewAccount(c.memory)
			server := open(t, w, func(d *Door) { d.Memory, d.Clock = memory, supervision.RealClock{} })
			r := httptest.NewRequest(c.method, "http://"+host+"/", strings.NewReader(strings.Repeat("x", c.sent)))
			out := httptest.NewRecorder()
			server.Config.Handler.ServeHTTP(out, r)
			if out.Code != c.status || c.status == http.StatusServiceUnavailable && out.Header().Get(errorHeader) != errBusy {
				t.Errorf("%d %s", out.Code, out.Body)
			}
			if memory.Used() != 0 {
				t.Errorf("%d bytes are not given back", memory.Used())
			}
			if c.status == http.StatusServiceUnavailable && len(w.sent) > 0 {
				t.Error(fmt.Sprint("it was sent: ", w.sent))
			}
		})
	}
}
