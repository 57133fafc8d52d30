package work

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// leastPart is how short a part of a secret is that is redacted by itself.
const leastPart = 8

// redaction finds secrets, and parts of them that are at least half, in what is given to others: as they are; escaped for addresses, JSON and HTML; in
// hexadecimal; in base64 of either alphabet, wherever in the encoded bytes they stand. Of a secret in two pieces one is at least half. What a server makes of a
// secret otherwise, by compressing or encrypting it, nobody can find.
type redaction struct {
	parts map[int]map[string]bool // windows by their length
	sizes []int
}

func newRedaction(values map[string][]byte) *redaction {
	r := &redaction{parts: map[int]map[string]bool{}}
	for _, v := range values { // order-free: into a set
		for _, form := range forms(v) {
			r.add(form)
		}
	}
	for n := range r.parts { // order-free: sorted below
		r.sizes = append(r.sizes, n)
	}
	slices.Sort(r.sizes)
	return r
}

// forms are how a secret may show.
func forms(v []byte) []string {
	text := string(v)
	quoted, _ := json.Marshal(text) // of a text, which always is
	list := []string{
		text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1]), html.EscapeString(text),
		hex.EncodeToString(v), strings.ToUpper(hex.EncodeToString(v)),
	}
	for shift := range 3 { // of what stands before it
		padded := append(make([]byte, shift), v...)
		whole := len(padded) / 3 * 3
		skip := []int{0, 2, 3}[shift] // characters that what stands before has a part in
		for _, e := range [...]*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			if core := e.EncodeToString(padded[:whole]); len(core) > skip {
				list = append(list, core[skip:])
			}
		}
		clear(padded)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// add takes the windows of a form: half of it, or all of a short one.
func (r *redaction) add(form string) {
	n := min(len(form), max(leastPart, (len(form)+1)/2))
	if n == 0 {
		return
	}
	if r.parts[n] == nil {
		r.parts[n] = map[string]bool{}
	}
	for i := 0; i+n <= len(form); i++ {
		r.parts[n][form[i:i+n]] = true
	}
}

// bytes is data without the secrets.
func (r *redaction) bytes(data []byte) []byte {
	hit := make([]bool, len(data))
	some := false
	for _, n := range r.sizes {
		for i := 0; i+n <= len(data); i++ {
			if r.parts[n][string(data[i:i+n])] {
				some = true
				for j := i; j < i+n; j++ {
					hit[j] = true
				}
			}
		}
	}
	if !some {
		return data
	}
	var out []byte
	for i, c := range data {
		switch {
		case !hit[i]:
			out = append(out, c)
		case i == 0 || !hit[i-1]:
			out = append(out, Redacted...)
		}
	}
	return out
}

func (r *redaction) text(s string) string { return string(r.bytes([]byte(s))) }

// telling redacts what a job tells while it is at work.
func (r *redaction) telling(ctx context.Context) context.Context {
	tell, ok := ctx.Value(progressKey{}).(func(uint64, string))
	if !ok {
		return ctx
	}
	return Telling(ctx, func(fraction uint64, detail string) { tell(fraction, r.text(detail)) })
}

// erase lets the windows go.
func (r *redaction) erase() { clear(r.parts) }
