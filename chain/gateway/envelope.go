package gateway

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
)

// Bounds of a request beside its body.
const (
	maxMethod = 16
	maxPath   = 8 << 10
	maxHost   = 256
	maxFields = 256 // names of a query or of headers
)

// requestFields are the fields of HttpRequestEnvelope, and whether one must be there.
//
// Spec: gateway-payments-streams §B; sdk §19.2 (path_params).
var requestFields = map[string]bool{
	"method": true, "path": true, "query": false, "headers": false, "body": false, "host": true, "request_id": false, "path_params": false,
}

// Request is the envelope of a request.
type Request struct {
	Method, Path string
	fields       cbor.Map
}

// Set replaces a field, or adds it.
func (r *Request) Set(name string, value any) {
	r.fields = append(slices.DeleteFunc(r.fields, func(p cbor.Pair) bool { return p.Key == name }), cbor.Pair{Key: name, Value: value})
}

// Encode gives the envelope as canonical CBOR.
func (r *Request) Encode() ([]byte, error) { return cbor.Append(nil, r.fields) }

// CheckRequest holds the envelope of a request, canonical CBOR, to its shape and to what the actor takes. Rejects: ErrEnvelope, ErrMethod, ErrBody.
//
// Spec: gateway-payments-streams §B (HttpRequestEnvelope; the body is within the actor's limit; paths under /_cowboy/ must not reach the actor).
func CheckRequest(data []byte, h *entitle.HTTP) (*Request, error) {
	v, err := cbor.Parse(data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, ErrEnvelope
	}
	r, found := &Request{fields: fields}, 0
	for _, p := range fields {
		name, _ := p.Key.(string)
		must, known := requestFields[name]
		if !known || !fits(name, p.Value) {
			return nil, ErrEnvelope
		}
		if must {
			found++
		}
	}
	if found != 3 {
		return nil, ErrEnvelope
	}
	method, _ := fields.Lookup("method")
	path, _ := fields.Lookup("path")
	r.Method, r.Path = method.(string), path.(string)
	if !h.Allows(r.Method) {
		return nil, ErrMethod
	}
	if body, _ := fields.Lookup("body"); uint64(sizeOf(body)) > h.RequestBytes {
		return nil, ErrBody
	}
	return r, nil
}

// sizeOf is the size of a body in bytes.
func sizeOf(body any) int {
	switch b := body.(type) {
	case []byte:
		return len(b)
	case string:
		return len(b)
	}
	return 0
}

// fits reports whether a value is one of its field's.
func fits(name string, v any) bool {
	text, isText := v.(string)
	switch name {
	case "method":
		return isText && isToken(text)
	case "path":
		return isText && strings.HasPrefix(text, "/") && len(text) <= maxPath && text != "/_cowboy" && !strings.HasPrefix(text, "/_cowboy/")
	case "host":
		return isText && len(text) <= maxHost
	case "request_id":
		return isText
	case "body":
		_, isBytes := v.([]byte)
		return isText || isBytes || v == nil
	}
	m, ok := v.(cbor.Map)
	if !ok || len(m) > maxFields {
		return false
	}
	for _, p := range m {
		key, isName := p.Key.(string)
		if !isName || name == "headers" && strings.ToLower(key) != key || !isTextOrList(p.Value) {
			return false
		}
	}
	return true
}

// isTextOrList admits a text, and a list of texts.
func isTextOrList(v any) bool {
	list, ok := v.([]any)
	if !ok {
		_, ok = v.(string)
		return ok
	}
	return !slices.ContainsFunc(list, func(one any) bool { _, text := one.(string); return !text })
}

func isToken(method string) bool {
	for i := range len(method) {
		if method[i] < 'A' || method[i] > 'Z' {
			return false
		}
	}
	return method != "" && len(method) <= maxMethod
}
