package host

import (
	"encoding/hex"
	"math"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// job is what the gate reads of a job for the runners, in either of its maps: the SDK's, whose operation is under payload, or the older
// one, whose fields lie open.
//
// Spec: sdk §9.1 (low-level alternative), §9.6.
type job struct {
	kind    string
	target  any      // of http the URL, of mcp the server
	options cbor.Map // keyword arguments, or the job itself
	tee     any
}

func readJob(payload []byte) (job, bool) {
	v, err := cbor.Parse(payload)
	if err != nil {
		return job{}, false
	}
	fields, ok := v.(cbor.Map)
	if !ok {
		return job{}, false
	}
	j := job{options: fields}
	kind, _ := fields.Lookup("job_type")
	if j.kind, ok = kind.(string); !ok {
		return job{}, false
	}
	j.kind = strings.ToLower(j.kind)
	j.tee, _ = fields.Lookup("tee_required")
	for _, name := range [...]string{"url", "server"} {
		if open, found := fields.Lookup(name); found {
			j.target = open
		}
	}
	operation, nested := fields.Lookup("payload")
	if !nested {
		return j, true
	}
	call, ok := operation.(cbor.Map)
	if !ok {
		return job{}, false
	}
	j.options = nil
	if given, found := call.Lookup("kwargs"); found {
		if j.options, ok = given.(cbor.Map); !ok {
			return job{}, false
		}
	}
	if given, found := call.Lookup("args"); found {
		args, ok := given.([]any)
		if !ok {
			return job{}, false
		}
		if len(args) > 0 {
			j.target = args[0]
		}
	}
	return j, true
}

// permitJob holds a job for the runners against the manifest, whatever way it leaves: oracle.llm, http.fetch, sec.tee_required, secrets.read. A job the
// gate cannot read, or of a kind no entitlement is for, does not leave an actor that has a manifest. A request that states no max_tokens is
// bounded by the grant where the runner is chosen.
//
// Spec: ENT §6, §8.4, §9.3, §9.5, §9.6, §9.12; sdk §9.1, §9.2; entitlement-extras §7 (8).
func (f *Invocation) permitJob(payload []byte, structured bool) error {
	m, err := f.manifest(f.self)
	if err != nil || m == nil {
		return err
	}
	if err := f.chargeCodec(len(payload)); err != nil {
		return err
	}
	if err := f.charge(uint64(chapter.BuildingCost(payload)), 0); err != nil {
		return err
	}
	j, ok := readJob(payload)
	if !ok || !structured {
		return raise(NoEntitlement, "the job is not in a form whose entitlements can be checked")
	}
	switch j.kind {
	case "llm":
		err = f.permitModel(&j)
	case "http":
		err = f.permitFetch(&j)
	case "mcp":
		if server, ok := j.target.(string); !ok || strings.Contains(server, "://") {
			err = f.permitFetch(&j)
		}
	default:
		err = raise(NoEntitlement, "no entitlement is for jobs of type %.64q", j.kind)
	}
	if err != nil {
		return err
	}
	if wanted, stated := j.tee.(bool); wanted || !stated && j.tee != nil {
		if _, err := f.require(entitle.TEE, "a job with tee_required"); err != nil {
			return err
		}
	}
	return f.permitSecrets(&j)
}

func (f *Invocation) permitModel(j *job) error {
	g, err := f.require(entitle.LLM, "runner.llm")
	if err != nil {
		return err
	}
	if most, limited := g.Number("max_tokens"); limited {
		if given, stated := j.options.Lookup("max_tokens"); stated {
			if n, ok := given.(int64); !ok || n < 0 || most <= math.MaxInt64 && n > int64(most) {
				return raise(EntitlementQuota, "%s: max_tokens is above %d", g.ID, most)
			}
		}
	}
	return f.count(g)
}

func (f *Invocation) permitFetch(j *job) error {
	g, err := f.require(entitle.Fetch, "runner."+j.kind)
	if err != nil {
		return err
	}
	url, _ := j.target.(string)
	host, ok := entitle.HostOf(url)
	if !ok {
		return raise(NoEntitlement, "%.128q names no host that http.fetch can admit", url)
	}
	sets, err := f.domainSets(g.NamesSet())
	if err != nil {
		return err
	}
	if !g.AdmitsHost(host, sets) {
		return raise(NoEntitlement, "http.fetch does not admit %.128s", host)
	}
	return f.count(g)
}

// permitSecrets wants every secret of a job among the keys of secrets.read: by its name, or as 0x<account>/<name> for another account's.
//
// Spec: sdk §9.2; entitlement-extras §3, §3.1.
func (f *Invocation) permitSecrets(j *job) error {
	given, found := j.options.Lookup("secrets")
	if !found {
		return nil
	}
	g, err := f.require(entitle.Secrets, "a job with secrets")
	if err != nil {
		return err
	}
	list, ok := given.([]any)
	if !ok {
		return raise(NoEntitlement, "secrets is not a list")
	}
	for _, item := range list {
		name, ok := secretName(item)
		if !ok {
			return raise(NoEntitlement, "a secret has no name")
		}
		admitted := false
		for _, key := range g.Texts("keys") {
			admitted = admitted || key == name
		}
		if !admitted {
			return raise(NoEntitlement, "secrets.read does not list %.128q", name)
		}
	}
	return nil
}

func secretName(item any) (string, bool) {
	if name, ok := item.(string); ok {
		return name, true
	}
	fields, ok := item.(cbor.Map)
	if !ok {
		return "", false
	}
	given, _ := fields.Lookup("name")
	name, ok := given.(string)
	if owner, found := fields.Lookup("account"); found {
		raw, isBytes := owner.([]byte)
		return "0x" + hex.EncodeToString(raw) + "/" + name, ok && isBytes
	}
	return name, ok
}
