package host

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// FuzzRoutes: any bytes are a table that has at most 200 routes, or refused.
//
// Spec: sdk §19.3.
func FuzzRoutes(f *testing.F) {
	route := cbor.Map{
		{Key: "verb", Value: "GET"}, {Key: "path", Value: "/a/{b}/*c"}, {Key: "pays", Value: "actor"}, {Key: "price", Value: 0}, {Key: "priority", Value: 1},
		{Key: "enabled", Value: true}, {Key: "target", Value: cbor.Map{{Key: "kind", Value: "volume"}, {Key: "name", Value: "v"}}},
	}
	seed, _ := cbor.Append(nil, []any{route})
	f.Add(seed)
	f.Add([]byte{0x80})
	f.Add([]byte{0x81, 0x00})
	f.Fuzz(func(t *testing.T, table []byte) {
		volumes, n, err := checkRoutes(table)
		if err == nil && (n > routesMax || len(volumes) > n) {
			t.Fatalf("%d routes, %d volumes", n, len(volumes))
		}
	})
}

// FuzzJob: any bytes are a job whose kind is known, or not one the gate can read.
//
// Spec: sdk §9.1, §9.6.
func FuzzJob(f *testing.F) {
	nested, _ := cbor.Append(nil, cbor.Map{
		{Key: "job_type", Value: "http"}, {Key: "tee_required", Value: true},
		{Key: "payload", Value: cbor.Map{{Key: "args", Value: []any{"https://a.org"}}, {Key: "kwargs", Value: cbor.Map{{Key: "secrets", Value: []any{"K"}}}}}},
	})
	open, _ := cbor.Append(nil, cbor.Map{{Key: "job_type", Value: "LLM"}, {Key: "prompt", Value: "q"}})
	f.Add(nested)
	f.Add(open)
	f.Fuzz(func(t *testing.T, payload []byte) {
		j, ok := readJob(payload)
		if !ok {
			return
		}
		if given, found := j.options.Lookup("secrets"); found {
			list, _ := given.([]any)
			for _, item := range list {
				secretName(item)
			}
		}
	})
}

// A job is read in both of its maps, and what is in neither form is no job.
//
// Spec: sdk §9.1, §9.6.
func TestReadJob(t *testing.T) {
	encode := func(v any) []byte {
		data, err := cbor.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	kwargs := cbor.Map{{Key: "max_tokens", Value: 5}}
	j, ok := readJob(encode(cbor.Map{
		{Key: "job_type", Value: "HTTP"}, {Key: "payload", Value: cbor.Map{{Key: "args", Value: []any{"u"}}, {Key: "kwargs", Value: kwargs}}},
	}))
	if n, _ := j.options.Lookup("max_tokens"); !ok || j.kind != "http" || j.target != "u" || n != int64(5) {
		t.Errorf("%+v %v", j, ok)
	}
	j, ok = readJob(encode(cbor.Map{{Key: "job_type", Value: "http"}, {Key: "url", Value: "u"}, {Key: "max_tokens", Value: 5}}))
	if n, _ := j.options.Lookup("max_tokens"); !ok || j.target != "u" || n != int64(5) {
		t.Errorf("%+v %v", j, ok)
	}
	for _, v := range []any{
		nil, []any{}, cbor.Map{}, cbor.Map{{Key: "job_type", Value: 7}}, cbor.Map{{Key: "job_type", Value: "http"}, {Key: "payload", Value: "x"}},
		cbor.Map{{Key: "job_type", Value: "http"}, {Key: "payload", Value: cbor.Map{{Key: "args", Value: "x"}}}},
		cbor.Map{{Key: "job_type", Value: "http"}, {Key: "payload", Value: cbor.Map{{Key: "kwargs", Value: []any{}}}}},
	} {
		if j, ok := readJob(encode(v)); ok {
			t.Errorf("%v is %+v", v, j)
		}
	}
}
