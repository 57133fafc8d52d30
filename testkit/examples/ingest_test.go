package examples

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const weather = `
import json

from cowboy_sdk import actor, public, runtime
from cowboy_sdk.ingestion import IngestingStream


@actor
class Weather(IngestingStream):
    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        terms = json.loads(payload)
        if terms.get("paid"):
            terms["paid"]["publisher_treasury"] = runtime.get_owner()
        self.open_stream("weather", publisher_key=bytes(range(32)), **terms)

    def to_message(self, result):
        if result["degrees"] == 0:
            return None
        if result["degrees"] == 1:
            raise ValueError("nobody knows")
        if result["degrees"] == 2:
            while True:
                pass
        if result["degrees"] == 3:
            return "x" * 16385
        return {"kind": "degrees", "tags": {"n": result["degrees"]}, "payload_inline": str(result["degrees"])}
`

// station is a stream that is fed by jobs, with a function for its runners.
type station struct {
	t      *testing.T
	c      *testkit.Chain
	owner  *testkit.Account
	feed   account.Address
	answer testkit.Answer
	asked  []*testkit.Job
}

func newStation(t *testing.T, terms string) *station {
	t.Helper()
	s := &station{t: t, c: testkit.NewChain(t)}
	s.c.Jobs(func(j *testkit.Job) testkit.Answer {
		s.asked = append(s.asked, j)
		return s.answer
	})
	s.owner = s.c.Account("owner")
	s.feed = s.owner.Deploy(weather, []byte(terms))
	s.owner.Fund(s.feed, 500*unit.CBY)
	return s
}

const task = `"task_definition":{"job_type":"http","args":["https://weather.example"]}`

// messages are the bodies that the stream has published.
func (s *station) messages() (list []string) {
	s.t.Helper()
	for _, m := range asked(s.t, s.c, s.feed, "get_since", `{"cursor":0}`)["messages"].([]any) {
		list = append(list, string(m.(map[any]any)["payload_inline"].([]byte)))
	}
	return list
}

// failures are reason and detail of each failure that was told of.
func (s *station) failures() (list []string) {
	s.t.Helper()
	for _, text := range s.c.Events(s.feed, "IngestFailed") {
		var e struct{ Reason, Detail string }
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			s.t.Fatal(err)
		}
		list = append(list, e.Reason+": "+e.Detail)
	}
	return list
}

func degrees(n any) testkit.Answer {
	return testkit.Answer{Result: cbor.Map{{Key: "degrees", Value: n}}}
}

// A job is submitted every so many blocks, one at a time, to as many runners as the owner wants, of which more than half have to agree; its result is a
// message.
//
// Spec: gateway-payments-streams §E.1 (IngestionConfig).
func TestIngestion(t *testing.T) {
	s := newStation(t, `{}`)
	s.answer = degrees(21)
	s.owner.Call(s.feed, "configure_ingestion", `{"interval_blocks":5,"num_runners":4,"verification":"majority_vote",`+task+`}`)
	s.c.AdvanceTo(s.c.Height() + 23) // four fires, and the answer to the last
	if got := s.messages(); len(got) != 4 || got[0] != `{"degrees":21}` || len(s.failures()) > 0 {
		t.Fatalf("%v, %v", got, s.failures())
	}
	j := s.asked[0]
	checks, _ := j.Fields.Lookup("verification")
	mode, _ := checks.(cbor.Map).Lookup("mode")
	count, _ := checks.(cbor.Map).Lookup("runners")
	agree, _ := checks.(cbor.Map).Lookup("threshold")
	if j.Type != "http" || j.Args()[0] != "https://weather.example" || mode != "majority_vote" || count != int64(4) || agree != int64(3) {
		t.Errorf("%s %v, %v", j.Type, j.Args(), checks)
	}

	s.answer.Delay = 12 // the next are submitted when the one before is answered
	before := len(s.asked)
	s.c.AdvanceTo(s.c.Height() + 30)
	if n := len(s.asked) - before; n != 2 {
		t.Errorf("%d jobs in 30 blocks, of 14 each", n)
	}

	s.owner.Call(s.feed, "configure_ingestion", `{"enabled":false}`) // what is under way is forgotten, and nothing follows
	published, before := len(s.messages()), len(s.asked)
	s.c.AdvanceTo(s.c.Height() + 40)
	if len(s.messages()) != published || len(s.asked) != before {
		t.Errorf("%d messages and %d jobs after it was switched off", len(s.messages())-published, len(s.asked)-before)
	}
	s.answer.Delay = 0
	s.owner.Call(s.feed, "configure_ingestion", `{"enabled":true,"transform_method":"to_message"}`)
	s.c.AdvanceTo(s.c.Height() + 8)
	if got := s.messages(); len(got) != published+1 || got[published] != "21" {
		t.Errorf("after it was switched on again: %v", got)
	}
}

// Whatever keeps a result from becoming a message is told with its reason, and the next job is tried all the same.
//
// Spec: gateway-payments-streams §E.2 (IngestFailed).
func TestIngestFailed(t *testing.T) {
	const schema = `"result_schema":{"type":"object","required":["degrees"],"properties":{"degrees":{"type":"integer","minimum":0,"maximum":60}}}`
	failing := func(name, text string) testkit.Answer {
		return testkit.Answer{Error: true, Result: cbor.Map{{Key: "error", Value: name}, {Key: "message", Value: text}}}
	}
	for name, c := range map[string]struct {
		config string
		answer testkit.Answer
		want   string // begins so; "" for no failure and no message
	}{
		"a time-out":           {schema, failing("timeout", "nobody agreed"), "TIMEOUT: nobody agreed"},
		"a runner's failure":   {schema, failing("http", "503"), "RUNNER: 503"},
		"no JSON":              {schema, testkit.Answer{Result: "<html>"}, "SCHEMA: "},
		"a missing field":      {schema, testkit.Answer{Result: `{"warmth":7}`}, "SCHEMA: result misses degrees"},
		"another type":         {schema, degrees("7"), "SCHEMA: result.degrees is no integer"},
		"a bool":               {schema, degrees(true), "SCHEMA: result.degrees is no integer"},
		"below the range":      {schema, degrees(-1), "SCHEMA: result.degrees is out of its range"},
		"above the range":      {schema, degrees(61), "SCHEMA: result.degrees is out of its range"},
		"a transform's error":  {`"transform_method":"to_message",` + schema, degrees(1), "TRANSFORM: ValueError: nobody knows"},
		"a transform for ever": {`"timeout_blocks":4,"transform_method":"to_message",` + schema, degrees(2), "LOST: no answer by block "},
		"a payload too large":  {`"transform_method":"to_message",` + schema, degrees(3), "PUBLISH: "},
		"nothing to say":       {`"transform_method":"to_message",` + schema, degrees(0), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, `{}`)
			s.answer = c.answer
			s.owner.Call(s.feed, "configure_ingestion", `{"interval_blocks":5,`+c.config+`,`+task+`}`)
			s.c.AdvanceTo(s.c.Height() + 18)
			got := s.failures()
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.HasPrefix(got[0], c.want)) {
				t.Errorf("%v, want %q", got, c.want)
			}
			if list := s.messages(); len(list) > 0 {
				t.Errorf("it was published: %v", list)
			}
			s.answer = degrees(60)
			s.c.AdvanceTo(s.c.Height() + 18)
			if list := s.messages(); len(list) == 0 {
				t.Errorf("nothing was published after it: %v", s.failures())
			}
		})
	}
}

// Configurations are held to their bounds, of a stream that carries plaintext; nobody but the owner makes them, and nobody but the chain brings results.
//
// Spec: gateway-payments-streams §E.1 (IngestionConfig).
func TestIngestionBounds(t *testing.T) {
	s := newStation(t, `{}`)
	bob := s.c.Account("bob")
	deep := func(n int) string { return strings.Repeat(`{"items":`, n-1) + `{}` + strings.Repeat(`}`, n-1) }
	long := func(n int) string {
		return fmt.Sprintf(`"task_definition":{"job_type":"http","args":["%s"]}`, strings.Repeat("x", n-len("..job_type.http.args...")-1))
	}
	for name, c := range map[string]struct {
		config string
		ok     bool
	}{
		"no task":            {`"interval_blocks":5`, false},
		"interval 0":         {`"interval_blocks":0,` + task, false},
		"interval 1":         {`"interval_blocks":1,` + task, true},
		"interval 2,592,000": {`"interval_blocks":2592000,` + task, true},
		"interval 2,592,001": {`"interval_blocks":2592001,` + task, false},
		"0 runners":          {`"num_runners":0,` + task, false},
		"21 runners":         {`"num_runners":21,` + task, true},
		"22 runners":         {`"num_runners":22,` + task, false},
		"86,400 blocks":      {`"timeout_blocks":86400,` + task, true},
		"86,401 blocks":      {`"timeout_blocks":86401,` + task, false},
		"0 blocks":           {`"timeout_blocks":0,` + task, false},
		"8,192 bytes":        {long(8_192), true},
		"8,193 bytes":        {long(8_193), false},
		"a schema 8 deep":    {`"result_schema":` + deep(8) + `,` + task, true},
		"a schema 9 deep":    {`"result_schema":` + deep(9) + `,` + task, false},
		"a word of a schema": {`"result_schema":{"pattern":"x"},` + task, false},
		"a type of a schema": {`"result_schema":{"type":"number"},` + task, false},
		"a list of fields":   {`"result_schema":{"properties":[1]},` + task, false},
		"a text as bound":    {`"result_schema":{"minimum":"0"},` + task, false},
		"a schema of 4,096":  {`"result_schema":{"title":"` + strings.Repeat("x", 4_086) + `"},` + task, true},
		"a schema of 4,097":  {`"result_schema":{"title":"` + strings.Repeat("x", 4_087) + `"},` + task, false},
		"no such mode":       {`"verification":"trust",` + task, false},
		"no such method":     {`"transform_method":"nothing",` + task, false},
		"no such field":      {`"speed":1,` + task, false},
		"its timer":          {`"timer":"0x00",` + task, false},
		"a task's field":     {`"task_definition":{"job_type":"http","price":1}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			back := s.c.Snapshot()
			r := s.owner.Try(s.feed, "configure_ingestion", "{"+c.config+"}")
			if ok := r.Fault.Code == 0; ok != c.ok {
				t.Errorf("%+v", r.Fault)
			}
			s.c.Revert(back)
		})
	}
	refused(t, bob.Try(s.feed, "configure_ingestion", "{"+task+"}"), "may not call")
	refused(t, bob.Try(s.feed, "ingest", ""), "may not call")
	refused(t, bob.Try(s.feed, "ingested", `{"cid":"x","result":1}`), "may not call")
	paid := newStation(t, `{"paid":{"fee_per_key_epoch_cby":1,"protocol_fee_bps":0}}`)
	refused(t, paid.owner.Try(paid.feed, "configure_ingestion", "{"+task+"}"), "an open stream")
}
