package work

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Limits of answers where none are configured.
const (
	MostAnswerBytes  = 2 << 20
	MostRedirects    = 5
	mostHeaderBytes  = 64 << 10
	mostAttestedHead = 8 << 10 // of response headers in a result
)

// HTTP fetches from the web.
type HTTP struct {
	MaxBytes  int64          // of an answer, compressed or not; 0 for MostAnswerBytes
	Redirects int            // 0 for MostRedirects
	Private   []netip.Prefix // closed ranges that may be reached
	Resolver  Resolver       // nil for the machine's
	Roots     *x509.CertPool // nil for the machine's
	Examine   *Examine
	Apart     *Self // which jobs with secrets run through, in a process of their own; nil: in this one
}

// Do implements Executor.
//
// Spec: runner-marketplace §2.2 (Http), §2.6 (SourceAttestation).
func (h *HTTP) Do(ctx context.Context, spec *job.Spec) (Output, error) {
	if values := valuesOf(ctx); values != nil && h.Fills() {
		return h.Apart.apart(ctx, settings{HTTP: &httpSettings{h.MaxBytes, h.Redirects, h.Private}}, spec, values)
	}
	ask := spec.HTTP
	request, err := http.NewRequestWithContext(ctx, ask.Method, ask.URL, bytes.NewReader(ask.Body))
	if err != nil || request.URL.Host == "" || request.URL.User != nil || request.URL.Scheme != "http" && request.URL.Scheme != "https" {
		return Output{}, fail(Permanent, "%q is not an address of the web", ask.URL)
	}
	for _, p := range ask.Headers {
		switch http.CanonicalHeaderKey(p.Name) {
		case "Host", "Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Upgrade", "Proxy-Authorization", "Te", "Trailer":
			return Output{}, fail(Permanent, "the header %s is not the job's to set", p.Name)
		}
		request.Header.Set(p.Name, p.Value)
	}
	request.Header.Set("Accept-Encoding", "gzip") // named here, so that the transport leaves decoding to body
	transport := h.transport()
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: h.redirect}
	reply, err := client.Do(request)
	if err != nil {
		return Output{}, fetchError(err)
	}
	defer reply.Body.Close()
	if s := reply.StatusCode; s >= 400 {
		kind := Permanent
		if s >= 500 || s == http.StatusRequestTimeout || s == http.StatusTooEarly || s == http.StatusTooManyRequests {
			kind = Transient
		}
		return Output{}, fail(kind, "the answer is %s", reply.Status)
	}
	data, err := h.body(reply)
	if err != nil {
		return Output{}, err
	}
	out := Output{Data: data, Source: attest(reply, data)}
	if ask.Extraction != nil {
		out.Data, err = h.Examine.Extract(ctx, ask.Extraction, data, reply.Header.Get("Content-Type"))
	}
	return out, err
}

func (h *HTTP) transport() *http.Transport {
	d := &dialer{h.Resolver, h.Private}
	if d.resolver == nil {
		d.resolver = net.DefaultResolver
	}
	return &http.Transport{
		DialContext: d.dial, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: mostHeaderBytes,
		TLSClientConfig: &tls.Config{RootCAs: h.Roots, MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2: true,
	}
}

// errRedirects reports redirects that lead on too long or out of TLS.
var errRedirects = errors.New("too many redirects, or one from https to http")

func (h *HTTP) redirect(next *http.Request, before []*http.Request) error {
	most := h.Redirects
	if most == 0 {
		most = MostRedirects
	}
	if isConfined(next.Context()) && next.URL.Host != before[0].URL.Host { // headers and bodies go along
		return errRedirects
	}
	if len(before) > most || next.URL.Scheme != "https" && before[len(before)-1].URL.Scheme == "https" || next.URL.User != nil {
		return errRedirects
	}
	return nil
}

// fetchError sorts what a client reports.
func fetchError(err error) error {
	var own *Error
	var certificate *tls.CertificateVerificationError
	var address *url.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, errRedirects):
		return &Error{Permanent, errRedirects}
	case errors.As(err, &certificate):
		return &Error{Permanent, err}
	case errors.As(err, &address):
		return &Error{Transient, address.Err}
	}
	return &Error{Transient, err}
}

// body reads an answer. The limit holds for what comes over the wire and for what it is once decoded.
func (h *HTTP) body(reply *http.Response) ([]byte, error) {
	most := h.MaxBytes
	if most == 0 {
		most = MostAnswerBytes
	}
	if reply.ContentLength > most {
		return nil, fail(TooLarge, "the answer has %d bytes, and may have %d", reply.ContentLength, most)
	}
	var from io.Reader = io.LimitReader(&measured{Reader: reply.Body, ctx: reply.Request.Context(), whole: reply.ContentLength}, most+1)
	switch strings.ToLower(reply.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(from)
		if err != nil {
			return nil, fail(Permanent, "the answer is no gzip: %w", err)
		}
		from = z
	default:
		return nil, fail(Permanent, "the answer is encoded as %q", reply.Header.Get("Content-Encoding"))
	}
	data, err := io.ReadAll(io.LimitReader(from, most+1))
	if int64(len(data)) > most {
		return nil, fail(TooLarge, "the answer has more than %d bytes", most)
	}
	if err != nil {
		return nil, &Error{Transient, err}
	}
	return data, nil
}

// attest says where data came from.
//
// Spec: runner-marketplace §2.6.
func attest(reply *http.Response, data []byte) *Source {
	s := &Source{
		FetchedAt: uint64(time.Now().Unix()), URL: reply.Request.URL.String(), Status: uint16(reply.StatusCode), Response: digest.Keccak256(data),
	}
	if reply.TLS != nil && len(reply.TLS.PeerCertificates) > 0 {
		print := digest.SHA256(reply.TLS.PeerCertificates[0].Raw)
		s.Certificate = &print
	}
	room := mostAttestedHead
	var all []job.Pair
	for name, values := range reply.Header { // order-free: sorted below
		for _, v := range values {
			all = append(all, job.Pair{Name: strings.ToLower(name), Value: v})
		}
	}
	slices.SortStableFunc(all, func(a, b job.Pair) int { return cmp.Compare(a.Name, b.Name) })
	for _, p := range all {
		if room -= len(p.Name) + len(p.Value); room < 0 {
			break
		}
		s.Headers = append(s.Headers, p)
	}
	return s
}
