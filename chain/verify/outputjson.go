package verify

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// outputJSON is an Output as clients see it. Bytes are hexadecimal with 0x.
type outputJSON struct {
	Outcome   string         `json:"outcome"`
	Done      uint64         `json:"done,omitempty"`
	Total     uint64         `json:"total,omitempty"`
	Data      hexBytes       `json:"data"`
	Usage     Usage          `json:"usage"`
	Timestamp uint64         `json:"timestamp"`
	TEE       *hexBytes      `json:"tee_attestation,omitempty"`
	Source    *sourceJSON    `json:"source_attestation,omitempty"`
	Embedding *embeddingJSON `json:"embedding,omitempty"`
}

type sourceJSON struct {
	FetchedAt    uint64            `json:"fetch_timestamp"`
	URL          string            `json:"url"`
	Status       uint16            `json:"http_status"`
	ResponseHash digest.Hash       `json:"response_hash"`
	Certificate  *digest.Hash      `json:"tls_cert_fingerprint,omitempty"`
	Headers      map[string]string `json:"response_headers,omitempty"`
}

type embeddingJSON struct {
	Wide   bool    `json:"wide"`
	Values []int16 `json:"values"`
}

// hexBytes are bytes as JSON has them.
type hexBytes []byte

// MarshalText is hexadecimal digits behind 0x.
func (b hexBytes) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "0x%x", []byte(b)), nil }

// UnmarshalText reads hexadecimal digits with or without 0x.
func (b *hexBytes) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(strings.TrimPrefix(string(text), "0x"))
	*b = raw
	return err
}

// MarshalJSON is the form of clients: names as runner-marketplace §2.6 has them, bytes in hexadecimal with 0x.
//
// Spec: runner-marketplace §2.6, §14 (14).
func (o *Output) MarshalJSON() ([]byte, error) {
	v := outputJSON{Outcome: o.Outcome.String(), Done: o.Done, Total: o.Total, Data: o.Data, Usage: o.Usage, Timestamp: o.Timestamp}
	if o.TEE != nil {
		v.TEE = (*hexBytes)(&o.TEE)
	}
	if s := o.Source; s != nil {
		v.Source = &sourceJSON{s.FetchedAt, s.URL, s.Status, s.ResponseHash, s.Certificate, map[string]string{}}
		for _, h := range s.Headers {
			v.Source.Headers[h.Name] = h.Value
		}
	}
	if e := o.Embedding; e != nil {
		v.Embedding = &embeddingJSON{e.Wide, e.Values}
	}
	return json.Marshal(&v)
}

// UnmarshalJSON reads what MarshalJSON wrote. What could not be encoded and read again is ErrOutput.
//
// Spec: runner-marketplace §2.6, §14 (14).
func (o *Output) UnmarshalJSON(text []byte) error {
	var v outputJSON
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	read := Output{Done: v.Done, Total: v.Total, Data: append([]byte{}, v.Data...), Usage: v.Usage, Timestamp: v.Timestamp}
	for read.Outcome = Success; read.Outcome.String() != v.Outcome; read.Outcome++ {
		if read.Outcome == External {
			return fmt.Errorf("%w: there is no outcome %.32q", ErrOutput, v.Outcome)
		}
	}
	if v.TEE != nil {
		read.TEE = append([]byte{}, *v.TEE...)
	}
	if s := v.Source; s != nil {
		read.Source = &Source{FetchedAt: s.FetchedAt, URL: s.URL, Status: s.Status, ResponseHash: s.ResponseHash, Certificate: s.Certificate}
		read.Source.headers(s.Headers)
	}
	if e := v.Embedding; e != nil {
		read.Embedding = &Embedding{e.Wide, e.Values}
		for _, v := range e.Values {
			if !e.Wide && v != int16(int8(v)) {
				return fmt.Errorf("%w: %d is no number of one byte", ErrOutput, v)
			}
		}
	}
	checked, err := DecodeOutput(read.Append(nil))
	if err == nil {
		*o = *checked
	}
	return err
}
