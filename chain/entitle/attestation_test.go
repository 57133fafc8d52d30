package entitle

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	fx "github.com/fxamacker/cbor/v2"
	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// grantMap is a grant as another encoder writes it.
type grantMap = map[string]any

// attest makes an attestation by another CBOR encoder and another signer: the map of Appendix A without its signature, its keccak256 signed, and the map with
// the signature. edit changes the map before it is signed.
func attest(t *testing.T, edit func(fields map[string]any)) (record, preimage []byte) {
	t.Helper()
	key, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	keccak := func(data []byte) []byte {
		h := sha3.NewLegacyKeccak256()
		_, _ = h.Write(data) // a hash takes all
		return h.Sum(nil)
	}
	mode, err := fx.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	encode := func(v any) []byte {
		data, err := mode.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	fields := map[string]any{
		"runner_id": keccak(public.SerializeUncompressed()[1:])[12:],
		"capabilities": []any{
			grantMap{"id": "http.fetch", "params": grantMap{"allowlist_domains": []any{"*"}}},
			grantMap{"id": "oracle.llm", "params": grantMap{"max_tokens": 100_000}},
			grantMap{"id": "sec.tee_required", "params": grantMap{"tee_type": "sgx"}},
		},
		"valid_from": 1_700_000_000, "valid_until": 1_710_000_000, "evidence_hash": bytes.Repeat([]byte{9}, 32),
	}
	if edit != nil {
		edit(fields)
	}
	preimage = encode(fields)
	if _, given := fields["signature"]; !given {
		s := ecdsa.SignCompact(key, keccak(preimage), false) // 27 + recovery id, r, s
		fields["signature"] = append(s[1:], s[0]-27)
	}
	return encode(fields), preimage
}

// The attestation that ENT prints, as another encoder and another signer make it, is read, has their preimage and their bytes, and is signed; what is changed
// in one bit is not the runner's any more.
//
// Spec: ENT §3.4, §4, §5.1, §12.2, Appendix A, Appendix B.
func TestAttestation(t *testing.T) {
	record, preimage := attest(t, nil)
	a, err := ParseAttestation(record)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Preimage(), preimage) || !bytes.Equal(a.Encode(), record) {
		t.Errorf("preimage %x, want %x\nrecord %x, want %x", a.Preimage(), preimage, a.Encode(), record)
	}
	for _, r := range []sig.Recoverer{sig.Pure{}, sig.Default()} {
		if !a.Signed(r) {
			t.Errorf("%T: it is not signed", r)
		}
	}
	if n := len(a.Capabilities.Grants); n != 3 || a.ValidFrom != 1_700_000_000 || a.ValidUntil != 1_710_000_000 || a.Evidence == nil || a.Evidence[0] != 9 {
		t.Errorf("%+v", a)
	}
	for i := range record {
		changed := bytes.Clone(record)
		changed[i] ^= 1
		if b, err := ParseAttestation(changed); err == nil && b.Signed(sig.Pure{}) {
			t.Errorf("byte %d of %d does not matter", i, len(record))
		}
	}
	for _, c := range []struct {
		at   uint64
		want bool
	}{{1_699_999_999, false}, {1_700_000_000, true}, {1_710_000_000, true}, {1_710_000_001, false}} {
		t.Run(fmt.Sprint(c.at), func(t *testing.T) {
			if b := (&Attestation{ValidFrom: a.ValidFrom, ValidUntil: a.ValidUntil}); b.Valid(unit.Height(c.at)) != c.want {
				t.Errorf("want %v", c.want)
			}
		})
	}
	key, err := sig.ParsePrivateKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	if again := a.Sign(key); !again.Signed(sig.Pure{}) || again.Runner != key.Address() {
		t.Error("signed by ourselves it is not signed")
	}
}

// What is no attestation is refused by its bytes.
//
// Spec: ENT §4 (sorted by id, canonical CBOR), §5.1, §10; entitlement-extras §2.2 (evidence), §3.1.
func TestAttestationsThatAreRefused(t *testing.T) {
	capability := func(list ...any) func(map[string]any) {
		return func(f map[string]any) { f["capabilities"] = append([]any{}, list...) }
	}
	for name, edit := range map[string]func(map[string]any){
		"unsorted":             capability(grantMap{"id": "oracle.llm"}, grantMap{"id": "http.fetch"}),
		"twice":                capability(grantMap{"id": "oracle.llm"}, grantMap{"id": "oracle.llm"}),
		"unknown":              capability(grantMap{"id": "oracle.video"}),
		"unknown parameter":    capability(grantMap{"id": "oracle.llm", "params": grantMap{"max_video": 1}}),
		"a number as text":     capability(grantMap{"id": "oracle.llm", "params": grantMap{"max_tokens": "7"}}),
		"domains out of order": capability(grantMap{"id": "http.fetch", "params": grantMap{"allowlist_domains": []any{"b.org", "a.org"}}}),
		"a wild region":        capability(grantMap{"id": "sec.data_residency", "params": grantMap{"region": "EU"}}),
		"no capabilities":      func(f map[string]any) { delete(f, "capabilities") },
		"no runner":            func(f map[string]any) { delete(f, "runner_id") },
		"a short runner":       func(f map[string]any) { f["runner_id"] = make([]byte, 19) },
		"a runner as text":     func(f map[string]any) { f["runner_id"] = "0x00" },
		"no end":               func(f map[string]any) { delete(f, "valid_until") },
		"an end before":        func(f map[string]any) { f["valid_until"] = 1_699_999_999 },
		"an end as text":       func(f map[string]any) { f["valid_until"] = "1710000000" },
		"a negative end":       func(f map[string]any) { f["valid_until"] = -1 },
		"a short signature":    func(f map[string]any) { f["signature"] = make([]byte, 64) },
		"a long hash":          func(f map[string]any) { f["evidence_hash"] = make([]byte, 33) },
		"a null hash":          func(f map[string]any) { f["evidence_hash"] = nil },
		"one more field":       func(f map[string]any) { f["note"] = 1 },
		"TEE without evidence": func(f map[string]any) { delete(f, "evidence_hash") },
		"a region without": func(f map[string]any) {
			delete(f, "evidence_hash")
			capability(grantMap{"id": "sec.data_residency", "params": grantMap{"region": "eu"}})(f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			record, _ := attest(t, edit)
			if a, err := ParseAttestation(record); !errors.Is(err, ErrAttestation) {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	for name, edit := range map[string]func(map[string]any){
		"nothing provided":       capability(),
		"one block":              func(f map[string]any) { f["valid_until"] = 1_700_000_000 },
		"no evidence for models": func(f map[string]any) { delete(f, "evidence_hash"); capability(grantMap{"id": "oracle.llm"})(f) },
	} {
		t.Run(name, func(t *testing.T) {
			record, _ := attest(t, edit)
			if _, err := ParseAttestation(record); err != nil {
				t.Error(err)
			}
		})
	}
	// 4,096 bytes are one, 4,097 are none: the record grows by a name's letters one for one.
	sized := func(n int) []byte {
		var names []any
		for i := range 15 {
			names = append(names, strings.Repeat(string(rune('a'+i)), 240))
		}
		record, _ := attest(t, capability(grantMap{"id": "secrets.read", "params": grantMap{"keys": append(slices.Clone(names), "z")}}))
		last := "z" + strings.Repeat("z", n-len(record)-1) // a length of 24 or more takes one byte more
		record, _ = attest(t, capability(grantMap{"id": "secrets.read", "params": grantMap{"keys": append(names, last)}}))
		return record
	}
	for n, ok := range map[int]bool{4_095: true, 4_096: true, 4_097: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			record := sized(n)
			if _, err := ParseAttestation(record); len(record) != n || (err == nil) != ok {
				t.Errorf("%d bytes, want %d: %v", len(record), n, err)
			}
		})
	}
}

// What an actor requires and what a runner provides, by the words of ENT §8.
//
// Spec: ENT §2, §6 (scheduler match), §8, §8.2, §8.3, §8.4, §9.5, §9.6, §12; WP §15; entitlement-extras §7 (7).
func TestRequirements(t *testing.T) {
	llm := func(params string) string { return `{"id":"oracle.llm","params":{` + params + `}}` }
	fetch := func(params string) string { return `{"id":"http.fetch","params":{` + params + `}}` }
	listed := func(domains string) string { return `[` + fetch(`"allowlist_domains":[`+domains+`]`) + `]` }
	set := func(name string) string { return `[` + fetch(`"domain_set":"`+name+`"`) + `]` }
	gpu := func(size string) string { return `[{"id":"accel.gpu","params":{"min_vram_gb":` + size + `}}]` }
	tee := func(kind string) string { return `[{"id":"sec.tee_required","params":{"tee_type":"` + kind + `"}}]` }
	region := func(name string) string { return `[{"id":"sec.data_residency","params":{"region":"` + name + `"}}]` }
	for name, c := range map[string]struct {
		requires, provides string
		want               bool
	}{
		"the printed actor and runner":       {published, `[` + fetch(`"allowlist_domains":["*"]`) + `,` + llm(`"max_tokens":100000`) + `]`, true},
		"without what is asked of a model":   {published, listed(`"*"`), false},
		"without the web":                    {published, `[` + llm(`"max_tokens":100000`) + `]`, false},
		"nothing required":                   {`[{"id":"econ.transfer","params":{"max_amount":1}},{"id":"storage.kv","params":{"max_bytes":1}}]`, `[]`, true},
		"more tokens than provided":          {`[` + llm(`"max_tokens":2001`) + `]`, `[` + llm(`"max_tokens":2000`) + `]`, false},
		"as many tokens":                     {`[` + llm(`"max_tokens":2000`) + `]`, `[` + llm(`"max_tokens":2000`) + `]`, true},
		"fewer tokens":                       {`[` + llm(`"max_tokens":1999`) + `]`, `[` + llm(`"max_tokens":2000`) + `]`, true},
		"no limit at the runner":             {`[` + llm(`"max_tokens":2000`) + `]`, `[{"id":"oracle.llm"}]`, true},
		"a limit the actor does not state":   {`[` + llm(`"max_requests":1`) + `]`, `[` + llm(`"max_tokens":1`) + `]`, true},
		"requests":                           {`[` + llm(`"max_requests":2`) + `]`, `[` + llm(`"max_requests":1`) + `]`, false},
		"a subset of domains":                {listed(`"a.org"`), listed(`"a.org","b.org"`), true},
		"a domain more":                      {listed(`"a.org","c.org"`), listed(`"a.org","b.org"`), false},
		"below a wildcard":                   {listed(`"x.a.org"`), listed(`"*.a.org"`), true},
		"the apex of a wildcard":             {listed(`"a.org"`), listed(`"*.a.org"`), false},
		"every domain":                       {listed(`"*"`), listed(`"a.org"`), false},
		"a set and every domain":             {set("price_feeds"), listed(`"*"`), true},
		"the same set":                       {set("price_feeds"), set("price_feeds"), true},
		"another set":                        {set("price_feeds"), set("social_apis"), false},
		"one of a set":                       {listed(`"api.kraken.com"`), set("price_feeds"), true},
		"a set and a domain it has not":      {`[` + fetch(`"domain_set":"price_feeds","allowlist_domains":["a.org"]`) + `]`, set("price_feeds"), false},
		"no domains":                         {listed(`"a.org"`), `[{"id":"http.fetch"}]`, false},
		"a larger GPU":                       {gpu("16"), gpu("24"), true},
		"the GPU":                            {gpu("16"), gpu("16"), true},
		"a smaller GPU":                      {gpu("16"), gpu("15"), false},
		"a GPU of no size":                   {gpu("16"), `[{"id":"accel.gpu"}]`, false},
		"the environment":                    {tee("tdx"), tee("tdx"), true},
		"another environment":                {tee("tdx"), tee("sgx"), false},
		"some environment":                   {tee("tdx"), `[{"id":"sec.tee_required"}]`, false},
		"the region":                         {region("eu"), region("eu"), true},
		"another region, however it is near": {region("us"), region("us-west"), false},
	} {
		t.Run(name, func(t *testing.T) {
			requires, provides := parse(t, c.requires).Required(), parse(t, c.provides)
			if got := requires.ProvidedBy(provides, GenesisSets()); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	var attested []string
	for _, id := range []string{
		"accel.gpu", "bridge.asset", "bridge.subscribe_event", "econ.hold_balance", "econ.transfer", "exec.spawn", "http.fetch", "oracle.llm",
		"sec.data_residency", "sec.tee_required", "storage.blob", "storage.kv", "sys.upgrade", "timer.schedule",
	} { // ENT §9
		if Attested(id) {
			attested = append(attested, id)
		}
	}
	if got := strings.Join(attested, " "); got != "accel.gpu http.fetch oracle.llm sec.data_residency sec.tee_required" {
		t.Error(got)
	}
}

// A list of regions is at most 64 names of 2 to 16 letters, ascending, and the genesis has the fourteen of the digest.
//
// Spec: ENT §9.14; entitlement-extras §2.2.
func TestRegions(t *testing.T) {
	if got := strings.Join(GenesisRegions(), " "); got != "ae au br ca ch eu il in jp kr sg uk us za" {
		t.Error(got)
	}
	many := func(n int) (list []string) {
		for i := range n {
			list = append(list, string([]byte{'a', 'a' + byte(i/26), 'a' + byte(i%26)}))
		}
		return list
	}
	for name, c := range map[string]struct {
		list []string
		ok   bool
	}{
		"none": {nil, true}, "two": {[]string{"eu", "us-west"}, true}, "unsorted": {[]string{"us", "eu"}, false}, "twice": {[]string{"eu", "eu"}, false},
		"capitals": {[]string{"EU"}, false}, "one letter": {[]string{"e"}, false}, "a digit first": {[]string{"1e"}, false},
		"16 letters": {[]string{strings.Repeat("e", 16)}, true}, "17 letters": {[]string{strings.Repeat("e", 17)}, false},
		"63": {many(63), true}, "64": {many(64), true}, "65": {many(65), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeRegions(EncodeSet(c.list))
			if (err == nil) != c.ok || c.ok && !slices.Equal(got, c.list) && len(c.list) > 0 {
				t.Errorf("%v %v", got, err)
			}
		})
	}
	for _, c := range []struct {
		manifest string
		want     bool
	}{
		{`[]`, true}, {`[{"id":"sec.data_residency"}]`, true}, {`[{"id":"sec.data_residency","params":{"region":"eu"}}]`, true},
		{`[{"id":"sec.data_residency","params":{"region":"us-west"}}]`, false},
	} {
		t.Run(c.manifest, func(t *testing.T) {
			if got := parse(t, c.manifest).InRegions(GenesisRegions()); got != c.want {
				t.Error(got)
			}
		})
	}
}

// FuzzParseAttestation: any bytes are refused, or are the one form of what they say.
//
// Spec: ENT §4.
func FuzzParseAttestation(f *testing.F) {
	f.Add([]byte{0xa0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if a, err := ParseAttestation(data); err == nil && !bytes.Equal(a.Encode(), data) || err != nil && !errors.Is(err, ErrAttestation) {
			t.Errorf("%+v %v", a, err)
		}
	})
}
