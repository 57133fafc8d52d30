package operate

import (
	"bytes"
	_ "embed" // page.html
	"html/template"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

//go:embed page.html
var pageText string

var pageOf = template.Must(template.New("page").Funcs(template.FuncMap{
	"cby": func(n uint64) string { return unit.Amount(n).CBY() },
	"progress": func(list []runner.AtWork, job string) *runner.AtWork {
		for i := range list {
			if list[i].Job == job {
				return &list[i]
			}
		}
		return nil
	},
}).Parse(pageText))

// page shows what the runner does and earns: what its status says, and nothing that the chain does not show of it. It loads nothing.
func page(address string, status func() (standing, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s, ok := status()
		if !ok {
			http.Error(w, "the dispatcher does not answer", http.StatusServiceUnavailable)
			return
		}
		var b bytes.Buffer
		if err := pageOf.Execute(&b, &struct {
			Address string
			standing
		}{address, s}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(b.Bytes())
	})
}
