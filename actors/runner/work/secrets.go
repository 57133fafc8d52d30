package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Secrets gets the values of a job's secrets, by their names. The caller erases them. Errors: *Error; any other is Transient. They never name a value.
//
// Spec: secrets-cbss §4 (runner use).
type Secrets interface {
	Get(ctx context.Context, spec *job.Spec) (map[string][]byte, error)
}

// NotApplicable is why jobs that are no requests to a server get no secrets.
//
// Spec: secrets-cbss §4, §9 (SecretsNotApplicableHere).
const NotApplicable = "SecretsNotApplicableHere: secrets are for requests over HTTP and calls of tools"

// MaxSecrets bounds the secrets of one job.
//
// Spec: secrets-cbss §6 (per operation).
const MaxSecrets = 8

// secretsRefusal says why a job with secrets is not one for this set, or nil.
func (s *Set) secretsRefusal(spec *job.Spec) error {
	switch {
	case len(spec.Secrets) == 0:
		return nil
	case spec.Kind != job.HTTP && spec.Kind != job.MCP:
		return fail(Refused, NotApplicable)
	case s.Secrets == nil:
		return fail(Refused, "this runner has no secrets")
	case len(spec.Secrets) > MaxSecrets:
		return fail(Refused, "a job has at most %d secrets", MaxSecrets)
	}
	return nil
}

// placeholder is where a job wants a secret.
//
// Spec: secrets-cbss §4; sdk §9.2.
var placeholder = regexp.MustCompile(`\$\{([A-Z][A-Z0-9_]{0,127})\}`)

// confined marks the context of a job with secrets: what it asks goes to one host.
type confined struct{}

func isConfined(ctx context.Context) bool { return ctx.Value(confined{}) != nil }

// do does a job. One with secrets gets them at the last moment, in memory alone; what it gives, its failures and its panics are redacted, and the values are
// erased before it returns. An executor that is a Filler puts them into their places in another process; of others, texts that Go does not let be overwritten
// are left to the collector.
//
// Spec: secrets-cbss §4 (runner use: in-memory only, zeroised).
func (s *Set) do(ctx context.Context, spec *job.Spec) (out Output, err error) {
	executor := s.Executors[spec.Kind]
	if len(spec.Secrets) == 0 {
		return executor.Do(ctx, spec)
	}
	if err := checkPlaces(spec); err != nil {
		return Output{}, err
	}
	values, err := s.Secrets.Get(ctx, spec)
	if err != nil {
		return Output{}, err
	}
	defer func() {
		for _, v := range values { // order-free: all of them go
			clear(v)
		}
	}()
	if f, ok := executor.(Filler); ok && f.Fills() {
		return executor.Do(context.WithValue(ctx, valuesKey{}, values), spec)
	}
	return fillAndDo(ctx, executor, spec, values)
}

// fillAndDo does a job whose secrets have values, and redacts what comes of it: its result, its failure, what it tells meanwhile, and its panic.
func fillAndDo(ctx context.Context, executor Executor, spec *job.Spec, values map[string][]byte) (out Output, err error) {
	hide := newRedaction(values)
	defer hide.erase()
	defer func() {
		if r := recover(); r != nil {
			out, err = Output{}, fail(Permanent, "the job panics: %s", hide.text(fmt.Sprint(r)))
		}
	}()
	filled, err := fill(spec, values)
	if err != nil {
		return Output{}, err
	}
	if out, err = executor.Do(context.WithValue(hide.telling(ctx), confined{}, true), filled); err != nil {
		return Output{}, &Error{KindOf(err), errors.New(hide.text(message(err)))}
	}
	hide.output(&out)
	if filled.HTTP != nil {
		clear(filled.HTTP.Body)
	}
	return out, nil
}

// message is what an error says, without its kind.
func message(err error) string {
	var own *Error
	if errors.As(err, &own) {
		return own.Err.Error()
	}
	return err.Error()
}

// checkPlaces wants secrets to go to one server, over TLS or to this machine, and never into its name.
func checkPlaces(spec *job.Spec) error {
	if spec.Kind != job.HTTP {
		return nil
	}
	head, rest, ok := strings.Cut(spec.HTTP.URL, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	if !ok || placeholder.MatchString(head) || placeholder.MatchString(host) {
		return fail(Permanent, "a secret has no place in the name of a server")
	}
	u, err := url.Parse(head + "://" + host)
	if err != nil {
		return fail(Permanent, "the address is none of the web")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Scheme != "https" && (err != nil || !ip.IsLoopback()) {
		return fail(Permanent, "secrets go over https alone")
	}
	return nil
}

// fill puts the values into their places: escaped in addresses and in arguments, as they are in headers and bodies.
func fill(spec *job.Spec, values map[string][]byte) (*job.Spec, error) {
	filled := *spec
	var missing string
	put := func(text string, escape func(string) string) string {
		return placeholder.ReplaceAllStringFunc(text, func(at string) string {
			v, ok := values[at[2:len(at)-1]]
			if !ok {
				missing = at
				return at
			}
			return escape(string(v))
		})
	}
	plain := func(s string) string { return s }
	switch spec.Kind {
	case job.HTTP:
		ask := *spec.HTTP
		path, query, has := strings.Cut(ask.URL, "?")
		if ask.URL = put(path, url.PathEscape); has {
			ask.URL += "?" + put(query, url.QueryEscape)
		}
		ask.Headers = slices.Clone(ask.Headers)
		for i := range ask.Headers {
			ask.Headers[i].Value = put(ask.Headers[i].Value, plain)
		}
		ask.Body = placeholder.ReplaceAllFunc(bytes.Clone(ask.Body), func(at []byte) []byte {
			v, ok := values[string(at[2:len(at)-1])]
			if !ok {
				missing = string(at)
				return at
			}
			return v
		})
		filled.HTTP = &ask
	case job.MCP:
		ask := *spec.MCP
		ask.Arguments = put(ask.Arguments, func(s string) string {
			quoted, _ := json.Marshal(s) // of a text, which always is
			return string(quoted[1 : len(quoted)-1])
		})
		filled.MCP = &ask
	}
	if missing != "" {
		return nil, fail(Permanent, "%s is not among the job's secrets", missing)
	}
	return &filled, nil
}

// output redacts a result: its data, and where it came from.
func (r *redaction) output(out *Output) {
	data := r.bytes(out.Data)
	changed := !bytes.Equal(data, out.Data)
	if out.Data = data; out.Source == nil {
		return
	}
	s := *out.Source
	s.URL = r.text(s.URL)
	s.Headers = slices.Clone(s.Headers)
	for i := range s.Headers {
		s.Headers[i].Name, s.Headers[i].Value = r.text(s.Headers[i].Name), r.text(s.Headers[i].Value)
	}
	if changed { // a hash of what has the secret in it would let a short one be guessed
		s.Response = digest.Keccak256(data)
	}
	out.Source = &s
}
