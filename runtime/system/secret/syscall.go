package secret

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// store is secrets.store(key, value, access_policy) of the SDK: the actor keeps a secret of its own, sealed to its own release key. value is what
// Sealed gives, never plaintext, which would be on the chain for everybody. It returns the version.
//
// Spec: WP-January "Secrets Management"; sdk §25 (storing is an account operation); secrets-cbss §1 (no plaintext on chain).
func store() chapter.Syscall {
	return chapter.Syscall{
		Name: "secrets_store", Sig: "key, value, access_policy=None", Args: []chapter.Kind{chapter.Text, chapter.Bytes, chapter.Value | chapter.Optional},
		Run: func(e *chapter.Env, a chapter.Args) (any, error) {
			if !cbss.CheckName(a.Text(0)) {
				return nil, invalid("a secret's name matches [A-Z][A-Z0-9_]{0,127}")
			}
			with, ok := sealed(a.Bytes(1))
			if !ok {
				return nil, invalid("value is an envelope that `cowboy secrets seal` made, never plaintext: what an actor passes on is public")
			}
			policy, err := policyOf(a.Value(2))
			if err != nil {
				return nil, err
			}
			size := 2*len(a.Bytes(1)) + account.AddressSize*len(policy.Actors)
			if err := e.Charge(params.CostSecretSet, cells(e, size)+params.SecretRecordCells); err != nil {
				return nil, err
			}
			s, err := open(e)
			if err != nil {
				return nil, err
			}
			id := cbss.SecretID{Account: e.Sender, KeyHash: cbss.KeyHash(e.Sender, a.Text(0))}
			return s.Set(id, policy, with, nil, e.Turn.ID)
		},
	}
}

func invalid(text string) error {
	return chapter.Reject(drain.FaultInput, "InvalidInputError", 2, "%s", text)
}

// Sealed is what secrets.store takes: wrap_epoch be8 ‖ Bytes cbfs_pointer ‖ envelope(328).
func Sealed(s *secret.Sealed) []byte {
	return append(codec.AppendBytes(codec.AppendU64(nil, s.Epoch), s.Pointer), s.Wrapped...)
}

// sealed reads what Sealed gave.
func sealed(raw []byte) (*secret.Sealed, bool) {
	r := codec.NewReader(raw)
	s := &secret.Sealed{Epoch: r.U64(), Pointer: r.Bytes(1 + secret.MaxPayload), Wrapped: r.Fixed(cbss.EnvelopeSize)}
	return s, r.Finish() == nil
}

// policyOf reads an access policy: a map of "actors", a list of addresses, and "tee_required", as it is or named by "runners". What else the older text has,
// entitlements and kinds of jobs, is held by the manifest of the actor that submits the job.
//
// Spec: WP-January "Secrets Management"; secrets-cbss §2 (SecretPolicy).
func policyOf(v any) (p secret.Policy, err error) {
	if v == nil {
		return p, nil
	}
	fields, ok := v.(cbor.Map)
	if !ok {
		return p, invalid("access_policy is a map")
	}
	for _, f := range fields {
		switch f.Key {
		case "tee_required":
			if p.TEE, ok = f.Value.(bool); !ok {
				return p, invalid("tee_required is a bool")
			}
		case "runners":
			list, ok := f.Value.([]any)
			if !ok || len(list) != 1 || list[0] != any("tee_required") {
				return p, invalid("runners is a list with tee_required")
			}
			p.TEE = true
		case "actors":
			if p.Listed, err = true, actors(&p, f.Value); err != nil {
				return p, err
			}
		default:
			return p, invalid("access_policy has actors, tee_required and runners")
		}
	}
	if p.Check() != nil {
		return p, invalid("actors names at most 64 addresses, each once")
	}
	return p, nil
}

func actors(p *secret.Policy, v any) error {
	list, ok := v.([]any)
	if !ok || len(list) > secret.MaxActors {
		return invalid("actors is a list of at most 64 addresses")
	}
	for _, item := range list {
		raw, ok := item.([]byte)
		if !ok || len(raw) != account.AddressSize {
			return invalid("an address has 20 bytes")
		}
		p.Actors = append(p.Actors, account.Address(raw))
	}
	slices.SortFunc(p.Actors, account.Address.Compare)
	return nil
}
