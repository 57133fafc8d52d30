package receipt

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// Accepted is the status of a response that another one follows.
const Accepted = 202

// Bounds of a response's status and headers.
const (
	leastStatus = 200
	mostStatus  = 599
	maxHeaders  = 256
)

// Response is what an actor answers to a request (HttpResponseEnvelope).
//
// Spec: gateway-payments-streams §B.
type Response struct {
	Status   uint16
	Headers  []Header // by name
	Body     []byte   // nil: none
	Private  bool
	Envelope []byte // as it was answered: canonical CBOR
}

// Header is a name with its values, in their order.
type Header struct {
	Name   string
	Values []string
}

// ParseStored is ParseResponse for what the chain keeps, of which it has at most MaxEnvelope bytes.
//
// Spec: WP §5.4.
func ParseStored(data []byte, mostBody uint64) (*Response, error) {
	if len(data) > MaxEnvelope {
		return nil, ErrResponse
	}
	return ParseResponse(data, mostBody)
}

// mostBeside bounds what an envelope has beside its body.
const mostBeside = 64 << 10

// ParseResponse reads the envelope of a response whose body has at most so many bytes: a map of status, headers, body and private, of which status must be
// there. A header is a text or a list of texts, a body bytes or text. Reject: ErrResponse.
//
// Spec: gateway-payments-streams §B (HttpResponseEnvelope).
func ParseResponse(data []byte, mostBody uint64) (*Response, error) {
	if uint64(len(data)) > mostBody+mostBeside {
		return nil, ErrResponse
	}
	v, err := cbor.Parse(data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, ErrResponse
	}
	r := &Response{Envelope: slices.Clone(data)}
	for _, p := range fields {
		name, _ := p.Key.(string)
		if !r.take(name, p.Value) {
			return nil, ErrResponse
		}
	}
	if r.Status == 0 || uint64(len(r.Body)) > mostBody {
		return nil, ErrResponse
	}
	return r, nil
}

// take reads one field; false for a field there is not, or a value of another type.
func (r *Response) take(name string, v any) (ok bool) {
	switch name {
	case "status":
		n, isInt := v.(int64)
		r.Status = uint16(max(n, 0))
		return isInt && n >= leastStatus && n <= mostStatus
	case "private":
		r.Private, ok = v.(bool)
		return ok
	case "body":
		switch b := v.(type) {
		case []byte:
			r.Body = b
		case string:
			r.Body = []byte(b)
		case nil:
		default:
			return false
		}
		return true
	case "headers":
		return r.headers(v)
	}
	return false
}

// headers reads the headers; a name is a token, a value has neither line breaks nor other controls.
//
// Spec: RFC 9110 §5.1, §5.5.
func (r *Response) headers(v any) bool {
	m, ok := v.(cbor.Map)
	if !ok || len(m) > maxHeaders {
		return false
	}
	for _, p := range m {
		name, _ := p.Key.(string)
		list, several := p.Value.([]any)
		if !several {
			list = []any{p.Value}
		}
		h := Header{Name: name}
		for _, one := range list {
			text, isText := one.(string)
			if !isText || !isFieldValue(text) {
				return false
			}
			h.Values = append(h.Values, text)
		}
		if !isFieldName(name) {
			return false
		}
		r.Headers = append(r.Headers, h)
	}
	return true
}

func isFieldName(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !slices.Contains([]byte("!#$%&'*+-.^_`|~"), c) {
			return false
		}
	}
	return name != "" && len(name) <= 256
}

func isFieldValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
