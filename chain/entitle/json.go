package entitle

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// isJSON tells a JSON manifest from a CBOR one: CBOR maps and arrays begin with bytes above 0x7f.
func isJSON(data []byte) bool {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	return len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[')
}

// jsonDepth is the deepest nesting a manifest can have: map, list, grant, params, list.
const jsonDepth = 5

// readJSON reads one JSON value as the plain values CBOR decodes to. A key twice, a fraction and anything behind the value are refused.
func readJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := readToken(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the manifest")
	}
	return v, nil
}

func readToken(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Number:
		return readInteger(string(t))
	case json.Delim:
		if depth == jsonDepth {
			return nil, errors.New("nested too deep")
		}
		if t == '[' {
			return readList(d, depth+1)
		}
		return readFields(d, depth+1)
	}
	return token, nil
}

// readInteger leaves an integer beyond int64 as its text, which readNumber takes.
func readInteger(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return text, nil
	}
	return nil, errors.New(strconv.Quote(text[:min(len(text), 32)]) + " is not an integer of 64 bits")
}

func readList(d *json.Decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := readToken(d, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func readFields(d *json.Decoder, depth int) (any, error) {
	fields := cbor.Map{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if _, twice := fields.Lookup(name); twice {
			return nil, errors.New("the key " + strconv.Quote(name[:min(len(name), 64)]) + " stands there twice")
		}
		v, err := readToken(d, depth)
		if err != nil {
			return nil, err
		}
		fields = append(fields, cbor.Pair{Key: name, Value: v})
	}
	_, err := d.Token()
	return fields, err
}
