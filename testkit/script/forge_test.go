package script

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

// forge starts a node that lies: it answers as the script's node does, or another one that is named, but changes a digit of the first hexadecimal value of a
// field. FORGED is its URL.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: forge FIELD [URL]")
	}
	honest := ts.Getenv("COWBOY_RPC_URL")
	if len(args) == 2 {
		honest = args[1]
	}
	field := regexp.MustCompile(`"` + args[0] + `": ?(\[\s*)?"(0x)?[0-9a-f]{4}`)
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resp, err := http.Get(honest + r.URL.RequestURI())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if at := field.FindIndex(body); at != nil {
			digit := &body[at[1]-1]
			if *digit == '0' {
				*digit = '1'
			} else {
				*digit = '0'
			}
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(body)
	}))
	ts.Defer(liar.Close)
	ts.Setenv("FORGED", liar.URL)
}
