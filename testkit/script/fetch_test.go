package script

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// fetch asks a gateway as a plain client does, until it answers with the status that is wanted, and prints the answer's headers and body:
//
//	fetch STATUS METHOD HOST URL [HEADER:VALUE...] [BODY]
func fetch(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 4 {
		ts.Fatalf("usage: fetch STATUS METHOD HOST URL [HEADER:VALUE...] [BODY]")
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	last := ""
	for range 600 {
		body := ""
		if n := len(args); n > 4 && (strings.HasPrefix(args[n-1], "{") || !strings.Contains(args[n-1], ":")) {
			body = args[n-1]
		}
		r, err := http.NewRequest(args[1], args[3], strings.NewReader(body))
		if err != nil {
			ts.Fatalf("%v", err)
		}
		r.Host = args[2]
		for _, h := range args[4:] {
			if key, value, ok := strings.Cut(h, ":"); ok && h != body {
				r.Header.Set(key, value)
			}
		}
		x, err := http.DefaultClient.Do(r)
		if err == nil {
			data, err := io.ReadAll(x.Body)
			_ = x.Body.Close()
			if err == nil && fmt.Sprint(x.StatusCode) == args[0] {
				var text strings.Builder
				for key := range x.Header { // order-free: sorted below
					fmt.Fprintf(&text, "%s: %s\n", key, x.Header.Get(key))
				}
				lines := strings.Split(strings.TrimSpace(text.String()), "\n")
				slices.Sort(lines)
				_, _ = fmt.Fprintf(ts.Stdout(), "%s\n\n%s\n", strings.Join(lines, "\n"), data)
				return
			}
			last = fmt.Sprintf("%d %s", x.StatusCode, data)
		}
		<-tick.C
	}
	ts.Fatalf("%s %s never answers %s, but %s", args[1], args[3], args[0], last)
}
