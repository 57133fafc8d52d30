package job

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of the specification's encoding, for each kind: one that changes is a change of protocol.
//
// Spec: WP §2.5; runner-marketplace §2.1.
func TestGoldenRecords(t *testing.T) {
	records := map[string][]byte{"Decimal": golden.Fill(&Decimal{}).Append(nil), "Spec plain": plain().Append(nil)}
	for _, k := range []Kind{LLM, HTTP, MCP, Custom, Container} {
		s := &Spec{Kind: k}
		s.make()
		if k == Container {
			s.Runtime = new(Runtime)
		}
		llm, http, mcp, custom, runtime := s.LLM, s.HTTP, s.MCP, s.Custom, s.Runtime
		golden.Fill(s)
		s.LLM, s.HTTP, s.MCP, s.Custom, s.Runtime = llm, http, mcp, custom, runtime
		records["Spec "+kindName(k)] = s.Append(nil)
	}
	for kind := CheckSetEquality; kind < checkKinds; kind++ {
		one := plain()
		one.Verification.Checks = []Check{*golden.Fill(&Check{Kind: kind})}
		records["Check "+checkNames()[kind]] = one.Append(nil)
	}
	golden.Records(t, records)
}

// The plain specification, byte by byte by hand.
//
// Spec: WP §2.5; runner-marketplace §2.1 (fields in order).
func TestEncodingByHand(t *testing.T) {
	s := plain()
	temperature, err := ParseDecimal("0.7")
	if err != nil {
		t.Fatal(err)
	}
	s.LLM.Temperature, s.LLM.Prompt, s.LLM.Model = &temperature, "hi", model
	s.ID, s.Submitter, s.SubmittedAt = model, somebody, 300
	want := joined(
		model[:], []byte{1}, model[:], []byte{2, 'h', 'i'}, []byte{0}, // job_id, kind, model_id, prompt, no system_prompt
		[]byte{1}, make([]byte, 12), []byte{0x29, 0xb9, 0x27, 0x00}, // temperature 700,000,000
		[]byte{100, 0},                                // max_tokens, no response_model
		[]byte{0, 100, 30, 0, 0},                      // bounds
		[]byte{0, 0, 0, 0, 0, 0, 75},                  // mode, runners, threshold, checks, tee, no type, dispute window
		[]byte{0x80, 0x80, 0x04, 0, 0},                // 65,536 bytes, no time, no format
		[]byte{5, 0, 100},                             // price, tip, timeout
		make([]byte, 20), []byte{0}, make([]byte, 32), // callback: actor, handler, correlation
		[]byte{0}, somebody[:], []byte{0xac, 0x02}, // context, submitter, 300
		[]byte{0, 0, 0, 0}, // no pool, no volumes, no runtime, no secrets
	)
	if got := s.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("%x\nwant %x", got, want)
	}
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// agree holds the three forms of a specification against each other.
func agree(t *testing.T, s *Spec) {
	t.Helper()
	raw := s.Append(nil)
	back, err := Decode(raw)
	if err != nil || !bytes.Equal(back.Append(nil), raw) {
		t.Fatalf("codec: %v\n%+v", err, s)
	}
	text, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	fromJSON, err := FromJSON(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	packed, err := s.CBOR()
	if err != nil {
		t.Fatal(err)
	}
	fromCBOR, err := FromCBOR(packed)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !bytes.Equal(fromJSON.Append(nil), raw) || !bytes.Equal(fromCBOR.Append(nil), raw) {
		t.Fatalf("the forms have other bytes\n%s", text)
	}
	if !reflect.DeepEqual(fromJSON, back) || !reflect.DeepEqual(fromCBOR, back) {
		t.Fatalf("the forms differ\n%s\n%+v\n%+v\n%+v", text, back, fromJSON, fromCBOR)
	}
}

// What one form says all say, over specifications of every kind with random fields.
//
// Spec: runner-marketplace §2.1 (encodings).
func TestFormsAgree(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(5, 6))}
	for range 2_000 {
		s := d.spec()
		if err := s.Check(); err != nil {
			t.Fatalf("%v\n%+v", err, s)
		}
		agree(t, s)
	}
}

// Bytes that are read as a specification have all forms, and no bytes bring the readers down.
//
// Spec: WP §2.5; runner-marketplace §2.1.
func FuzzForms(f *testing.F) {
	d := dice{rand.New(rand.NewPCG(7, 8))}
	for range 20 {
		s := d.spec()
		text, err := s.JSON()
		if err != nil {
			f.Fatal(err)
		}
		packed, err := s.CBOR()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.Append(nil))
		f.Add(text)
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func([]byte) (*Spec, error){Decode, FromJSON, FromCBOR} {
			s, err := read(data)
			switch {
			case err == nil:
				agree(t, s)
			case !errors.Is(err, ErrSpec):
				t.Fatal(err)
			}
		}
	})
}

// The specification that public clients send, whose price is zero and whose callback is nobody.
//
// Spec: node-rpc-cli §4.1.
func TestWhatClientsSend(t *testing.T) {
	zeros := strings.TrimSuffix(strings.Repeat("0,", 32), ",")
	s, err := FromJSON([]byte(`{
		"job_id": [` + zeros + `],
		"job_type": {"type": "Llm", "model_id": [` + zeros + `], "prompt": "hi", "system_prompt": null, "temperature": 0.7, "max_tokens": 256,
			"response_model": null},
		"bounds": {"max_input_tokens": 4096, "max_output_tokens": 256, "max_wall_time_seconds": 60, "max_memory_mb": 512, "max_retries": 1},
		"verification": {"mode": "none", "runners": 1, "threshold": 1, "checks": [], "tee_required": false, "dispute_window_blocks": 75},
		"max_price": 0, "tip": 0, "timeout_blocks": 120,
		"callback": {"actor": "0x0000000000000000000000000000000000000000", "handler": "", "payload": [], "correlation_id": [` + zeros + `], "context": []},
		"submitter": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], "submitted_at": 0
	}`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Kind != LLM || s.LLM.Temperature.String() != "0.7" || s.TimeoutBlocks != 120 || s.Schema.MaxReturnBytes != 65_536 || s.Bounds.MaxInputTokens != 4_096 {
		t.Errorf("%+v %+v", s, s.LLM)
	}
	agree(t, s)
}

// All spellings of one thing are one thing.
//
// Spec: runner-marketplace §2.1 (mode strings), §2.3, §2.4; sdk §9.2, §9.3.
func TestSpellings(t *testing.T) {
	read := func(edits ...string) *Spec {
		t.Helper()
		text := `{"job_type":{"Llm":{"prompt":"x"}},"bounds":{"max_output_tokens":1,"max_wall_time_seconds":1}`
		for _, e := range edits {
			text += "," + e
		}
		s, err := FromJSON([]byte(text + "}"))
		if err != nil {
			t.Fatalf("%v: %v", edits, err)
		}
		return s
	}
	for name, want := range map[string]Mode{
		`"none"`: 0, `"economicbond"`: 1, `"economic_bond"`: 1, `"EconomicBond"`: 1, `"optimistic"`: 1, `"majorityvote"`: 2, `"majority_vote"`: 2,
		`"consensus"`: 2, `"structuredmatch"`: 3, `"structured_match"`: 3, `"deterministic"`: 4, `"semanticsimilarity"`: 5,
		`"semantic_similarity"`: 5, `3`: 3, `"tee"`: 0,
	} {
		t.Run(name, func(t *testing.T) {
			s := read(`"verification":{"mode":` + name + `}`)
			if v := s.Verification; v.Mode != want || v.TEERequired != (name == `"tee"`) || v.DisputeBlocks != 75 {
				t.Errorf("%+v", v)
			}
		})
	}
	if v := read(`"verification":{"mode":"tee","runners":3,"tee_required":false}`).Verification; v.Mode != ModeDeterministic || !v.TEERequired {
		t.Errorf("%+v", v)
	}
	if v := read(`"verification":{"mode":2,"vote_field":"price"}`).Verification; !reflect.DeepEqual(v.Checks, []Check{{Field: "price"}}) {
		t.Errorf("%+v", v)
	}
	same := []string{
		`"verification":{"checks":[{"NumericRange":{"field":"p","min":"-1.5","max":2}}]}`,
		`"verification":{"checks":[{"type":"numeric_range","field":"p","min":-1.5,"max":2.0}]}`,
		`"verification":{"checks":[{"kind":4,"field":"p","min":"-1.500","max":"2"}]}`,
	}
	for _, one := range same {
		if !reflect.DeepEqual(read(one), read(same[0])) {
			t.Errorf("%s is read otherwise", one)
		}
	}
	owner := `"account":"0x0700000000000000000000000000000000000009"`
	if s := read(`"secrets":["a",["b",{"version":3}],["c",{` + owner + `}],{"name":"d",` + owner + `}]`).Secrets; len(s) != 4 || s[0].Name != "a" ||
		*s[1].Version != 3 || *s[2].Account != somebody || *s[3].Account != somebody {
		t.Errorf("%+v", s)
	}
}

// A JSON value that runners interpret has one form, whichever way it was written.
//
// Spec: runner-marketplace §2.1, §2.2 (arguments).
func TestArgumentsHaveOneForm(t *testing.T) {
	s, err := FromJSON([]byte(`{"job_type":{"Mcp":{"server":"s","tool_name":"t",
		"arguments":{"b": [1, 2.50, "\u0041"], "a": {"y": null, "x": true}}}},"bounds":{"max_wall_time_seconds":1}}`))
	if err != nil || s.MCP.Arguments != `{"a":{"x":true,"y":null},"b":[1,2.50,"A"]}` {
		t.Fatalf("%v %+v", err, s)
	}
	packed, err := cbor.Append(nil, cbor.Map{
		{Key: "job_type", Value: cbor.Map{{Key: "mcp", Value: cbor.Map{
			{Key: "server", Value: "s"}, {Key: "tool_name", Value: "t"},
			{Key: "arguments", Value: cbor.Map{{Key: "b", Value: []any{int64(1)}}, {Key: "a", Value: "\x02"}}},
		}}}},
		{Key: "bounds", Value: cbor.Map{{Key: "max_wall_time_seconds", Value: int64(1)}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := FromCBOR(packed); err != nil || s.MCP.Arguments != `{"a":"\u0002","b":[1]}` {
		t.Fatalf("%v %+v", err, s)
	}
}

// What is refused, and that the reason names the field.
//
// Spec: CIP-2 §3 (1); runner-marketplace §2.1, §2.4, §2.9, §12; WP §5.4; WP-January "Resource Bounds".
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, field string
		edit        func(s *Spec)
	}{
		{"no wall time", "bounds", func(s *Spec) { s.Bounds.MaxWallTimeSeconds = 0 }},
		{"no tokens", "bounds", func(s *Spec) { s.Bounds.MaxOutputTokens = 0 }},
		{"too many retries", "bounds", func(s *Spec) { s.Bounds.MaxRetries = 17 }},
		{"no timeout", "timeout_blocks", func(s *Spec) { s.TimeoutBlocks = 0 }},
		{"a timeout of more than a day", "timeout_blocks", func(s *Spec) { s.TimeoutBlocks = 86_401 }},
		{"no result", "result_schema", func(s *Spec) { s.Schema.MaxReturnBytes = 0 }},
		{"a result above 64 KiB", "result_schema", func(s *Spec) { s.Schema.MaxReturnBytes = 65_537 }},
		{"a long dispute", "verification", func(s *Spec) { s.Verification.DisputeBlocks = 86_401 }},
		{"too many runners", "verification", func(s *Spec) { s.Verification.Runners = 65 }},
		{"a threshold above the runners", "verification", func(s *Spec) { s.Verification.Runners, s.Verification.Threshold = 3, 4 }},
		{"more than all coins", "max_price", func(s *Spec) { s.MaxPrice = params.GenesisSupply + 1 }},
		{"a tip of more than all coins", "max_price", func(s *Spec) { s.Tip = params.GenesisSupply + 1 }},
		{"an empty range", "verification", func(s *Spec) {
			s.Verification.Checks = []Check{{Kind: CheckNumericRange, Min: Decimal{Lo: 2}, Max: Decimal{Lo: 1}}}
		}},
		{"a negative tolerance", "verification", func(s *Spec) {
			s.Verification.Checks = []Check{{Kind: CheckNumericTolerance, Tolerance: Decimal{1<<64 - 1, 0}}}
		}},
		{"a secret without a name", "secrets", func(s *Spec) { s.Secrets = []Secret{{}} }},
		{"a container of another kind", "runtime_config", func(s *Spec) { s.Runtime = new(Runtime) }},
		{"a container without a runtime", "runtime_config", func(s *Spec) { s.Kind = Container }},
		{"an image without a digest", "runtime_config", func(s *Spec) { s.Kind, s.Runtime = Container, new(Runtime) }},
		{"a container of 17 cores", "runtime_config", func(s *Spec) { s.Kind, s.Runtime = Container, &Runtime{Digest: model, CPUMilli: 16_001} }},
		{"rules without a network", "runtime_config", func(s *Spec) { s.Kind, s.Runtime = Container, &Runtime{Digest: model, Egress: make([]Egress, 1)} }},
		{"an unknown method", "job_type", func(s *Spec) { s.Kind, s.HTTP = HTTP, &HTTPJob{URL: "x", Method: "TRACE"} }},
		{"no address", "job_type", func(s *Spec) { s.Kind, s.HTTP = HTTP, &HTTPJob{Method: "GET"} }},
		{"headers out of order", "headers", func(s *Spec) {
			s.Kind, s.HTTP = HTTP, &HTTPJob{URL: "x", Method: "GET", Headers: []Pair{{"b", ""}, {"a", ""}}}
		}},
		{"no tool", "job_type", func(s *Spec) { s.Kind, s.MCP = MCP, &MCPJob{Server: "s"} }},
		{"too long in all", "job", func(s *Spec) {
			s.LLM.Prompt, s.Callback.Context = strings.Repeat("x", MaxTextBytes), make([]byte, 4_096)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := plain()
			c.edit(s)
			err := s.Check()
			if !errors.Is(err, ErrSpec) || !strings.Contains(err.Error(), c.field) {
				t.Fatalf("%v", err)
			}
			if _, err := Decode(s.Append(nil)); !errors.Is(err, ErrSpec) {
				t.Errorf("its bytes are read: %v", err)
			}
		})
	}
	for name, text := range map[string]string{
		"no object":           `[]`,
		"two values":          `{} {}`,
		"half":                `{"job_type":`,
		"an unknown field":    `{"job_type":"Container","colour":1}`,
		"an unknown kind":     `{"job_type":{"Dance":{}}}`,
		"the internal kind":   `{"job_type":{"EthSend":{}}}`,
		"a name twice":        `{"tip":1,"tip":2}`,
		"a negative price":    `{"max_price":-1}`,
		"a fraction":          `{"max_price":1.5}`,
		"odd digits":          `{"job_id":"0x123"}`,
		"zero knowledge":      `{"verification":{"mode":"zk"}}`,
		"an unknown check":    `{"verification":{"checks":[{"Luck":{}}]}}`,
		"ten digits":          `{"job_type":{"Llm":{"prompt":"x","temperature":"0.1234567891"}},"bounds":{"max_output_tokens":1,"max_wall_time_seconds":1}}`,
		"a field of another":  `{"job_type":{"Http":{"url":"x","prompt":"y"}},"bounds":{"max_wall_time_seconds":1}}`,
		"a list for a header": `{"job_type":{"Http":{"url":"x","headers":[]}},"bounds":{"max_wall_time_seconds":1}}`,
		"deep":                strings.Repeat("[", 100),
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := FromJSON([]byte(text)); !errors.Is(err, ErrSpec) {
				t.Errorf("%+v %v", s, err)
			}
		})
	}
}

// Decimals against big.Rat, which has no digits to lose.
//
// Spec: WP §2.5; runner-marketplace §2.2.
func TestDecimals(t *testing.T) {
	exact := func(d Decimal) *big.Rat { return new(big.Rat).SetFrac(d.Scaled(), big.NewInt(1_000_000_000)) }
	draw := dice{rand.New(rand.NewPCG(9, 10))}
	for range 2_000 {
		a := Decimal{draw.Uint64() >> draw.IntN(64), draw.Uint64() >> draw.IntN(64)}
		b := Decimal{draw.Uint64() << draw.IntN(64), draw.Uint64()}
		want, ok := new(big.Rat).SetString(a.String())
		if back, err := ParseDecimal(a.String()); !ok || err != nil || back != a || exact(a).Cmp(want) != 0 {
			t.Fatalf("%v is read as %v: %v", a, back, err)
		}
		if a.Cmp(b) != exact(a).Cmp(exact(b)) {
			t.Fatalf("%v and %v compare otherwise", a, b)
		}
	}
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "00.50": "0.5", "1.000000001": "1.000000001", "-0.000000001": "-0.000000001",
		"170141183460469231731687303715.884105727":  "170141183460469231731687303715.884105727", // 2^127 − 1
		"-170141183460469231731687303715.884105728": "-170141183460469231731687303715.884105728",
	} {
		t.Run(text, func(t *testing.T) {
			if d, err := ParseDecimal(text); err != nil || d.String() != want {
				t.Errorf("%v %v", d, err)
			}
		})
	}
	for _, text := range []string{
		"", ".", "1.", ".5", "+1", "1e3", "1.0000000001", "--1", "1 ", "170141183460469231731687303715.884105728", strings.Repeat("9", 41),
	} {
		if d, err := ParseDecimal(text); err == nil {
			t.Errorf("%q is %v", text, d)
		}
	}
	for _, c := range []struct {
		bits uint64 // of an IEEE 754 double
		want string
	}{
		{0x3fe6666666666666, "0.7"}, {0xbff8000000000000, "-1.5"}, {0x0000000000000001, "0"}, {0x4415af1d78b58c40, "100000000000000000000"},
		{0x8000000000000000, "0"}, {0x3e112e0be826d695, "0.000000001"}, {0x3e012e0be826d695, "0.000000001"}, // 10^-9 and its half, a hair above
	} {
		t.Run(c.want, func(t *testing.T) {
			if d, err := decimalOf(cbor.Float(c.bits)); err != nil || d.String() != c.want {
				t.Errorf("%x: %v %v", c.bits, d, err)
			}
		})
	}
	for _, bits := range []uint64{0x7ff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff} {
		if d, err := decimalOf(cbor.Float(bits)); err == nil {
			t.Errorf("%x is %v", bits, d)
		}
	}
}
