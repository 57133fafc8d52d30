package gateway

import (
	"encoding/json"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what a volume says about other origins.
//
// Spec: gateway-payments-streams §B (static hosting).
const (
	maxCORSRules = 50
	maxCORSAge   = 86_400 // seconds
	maxCORSList  = 64     // entries of a rule's lists
)

// CORSRule is which pages of other origins may read files of a volume.
//
// Spec: gateway-payments-streams §B (at most 50 CORS rules, ages up to 86,400).
type CORSRule struct {
	Prefix  string   `json:"path_prefix"`     // of the files it is about
	Origins []string `json:"allowed_origins"` // "*" for all
	Methods []string `json:"allowed_methods"` // of GET and HEAD; none: both
	Headers []string `json:"allowed_headers"` // that a page may send; "*" for all
	Expose  []string `json:"expose_headers"`  // that a page may see
	MaxAge  int      `json:"max_age"`         // seconds for which a browser need not ask again
}

// ParseCORS reads the rules of a volume: a list of at most 50, the first that fits counts. Anything else, or a rule that no header could say, is no rules.
func ParseCORS(data []byte) []CORSRule {
	var rules []CORSRule
	if json.Unmarshal(data, &rules) != nil || len(rules) > maxCORSRules {
		return nil
	}
	for _, x := range rules {
		lists := [...][]string{x.Origins, x.Methods, x.Headers, x.Expose}
		for _, list := range lists {
			if len(list) > maxCORSList || slices.ContainsFunc(list, func(s string) bool { return !sayable(s) }) {
				return nil
			}
		}
		if x.MaxAge < 0 || x.MaxAge > maxCORSAge {
			return nil
		}
	}
	return rules
}

// sayable reports whether a text may stand in a list of a header.
func sayable(s string) bool {
	return s != "" && len(s) <= 256 && strings.IndexFunc(s, func(c rune) bool { return c <= ' ' || c >= 0x7f || c == ',' || c == '"' }) < 0
}

// allow tells a browser whether a page may read a file, and answers its preflight; answered is false for any other request.
//
// Spec: gateway-payments-streams §B (CORS); Fetch §3.3 (CORS protocol).
func allow(w http.ResponseWriter, r *http.Request, rules []CORSRule, file string) (answered bool) {
	asks := r.Header.Get("Access-Control-Request-Method")
	preflight := r.Method == http.MethodOptions
	h := w.Header()
	if len(rules) > 0 {
		h.Add("Vary", "Origin")
	}
	origin := r.Header.Get("Origin")
	i := slices.IndexFunc(rules, func(x CORSRule) bool {
		return strings.HasPrefix(file, x.Prefix) && (slices.Contains(x.Origins, "*") || slices.Contains(x.Origins, origin))
	})
	if origin != "" && i >= 0 && (!preflight || rules[i].takes(asks, r.Header.Get("Access-Control-Request-Headers"))) {
		x := &rules[i]
		if slices.Contains(x.Origins, "*") {
			origin = "*"
		}
		h.Set("Access-Control-Allow-Origin", origin)
		if preflight {
			h.Set("Access-Control-Allow-Methods", asks)
			if given := r.Header.Get("Access-Control-Request-Headers"); given != "" {
				h.Set("Access-Control-Allow-Headers", given)
			}
			h.Set("Access-Control-Max-Age", strconv.Itoa(x.MaxAge))
		} else if len(x.Expose) > 0 {
			h.Set("Access-Control-Expose-Headers", strings.Join(x.Expose, ", "))
		}
	}
	if preflight {
		h.Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	}
	return preflight
}

// takes reports whether the rule lets a page send a request with a method and headers.
func (x *CORSRule) takes(method, headers string) bool {
	if method != http.MethodGet && method != http.MethodHead || len(x.Methods) > 0 && !slices.Contains(x.Methods, method) {
		return false
	}
	for name := range strings.SplitSeq(headers, ",") {
		name = textproto.TrimString(name)
		if name != "" && !slices.Contains(x.Headers, "*") && !slices.ContainsFunc(x.Headers, func(s string) bool { return strings.EqualFold(s, name) }) {
			return false
		}
	}
	return true
}
