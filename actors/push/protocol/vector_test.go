package protocol

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// vectors are what testdata/vectors.py wrote, which knows the document and nothing of this package.
type vectors struct {
	Runner    string            `json:"runner_key"`
	Node      string            `json:"node_key"`
	Ours      string            `json:"challenge_of_runner"`
	Theirs    string            `json:"challenge_of_validator"`
	Identity  string            `json:"network_identity"`
	Signature string            `json:"invitation_signature"`
	Frames    map[string]string `json:"frames"`
	Subsets   []struct {
		Validators int   `json:"validators"`
		Places     []int `json:"places"`
	} `json:"subsets"`
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const chain = 7

// sides are the keys of the vectors.
func sides(t *testing.T) (*sig.PrivateKey, ed25519.PrivateKey) {
	t.Helper()
	raw := sha256.Sum256([]byte("a runner"))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return key, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

func nonceOf(n byte) digest.Hash { return digest.Hash(bytes.Repeat([]byte{n}, digest.Size)) }

// messages are those of the vectors, signed here.
func messages(t *testing.T) (list map[string]Message, ours, theirs digest.Hash) {
	key, node := sides(t)
	job := digest.Hash(sha256.Sum256([]byte("a job")))
	runner, validator := RunnerParty(key.Compressed()), ValidatorParty([32]byte(node.Public().(ed25519.PublicKey)))
	hello := &Hello{Version, runner, Runner, 1_000_000, nonceOf(1)}
	answer := &Hello{Version, validator, Validator, 1_000_001, nonceOf(2)}
	bond := Bond{Chain: chain}
	for i := range bond.Channel {
		bond.Channel[i] = byte(i)
	}
	ours, theirs = bond.Challenge(hello, answer), bond.Challenge(answer, hello)
	assignment := &Assignment{ID: job, Spec: bytes.Repeat([]byte("what is to be done"), 20), Height: 1_000_004, Deadline: 1_000_104}
	cancel := &Cancel{ID: job, Reason: Expired}
	hash := assignment.Hash(chain, runner)
	copy(assignment.Signature[:], ed25519.Sign(node, hash[:]))
	hash = cancel.Hash(chain, runner)
	copy(cancel.Signature[:], ed25519.Sign(node, hash[:]))
	return map[string]Message{
		"hello of a runner":          hello,
		"hello of a validator":       answer,
		"helloack of a runner":       &HelloAck{SignAsRunner(key, ours)},
		"helloack of a validator":    &HelloAck{SignAsValidator(node, theirs)},
		"ping":                       &Ping{1_000_002, 3, SignAsRunner(key, PingHash(ours, 1_000_002, 3))},
		"pong":                       &Pong{1_000_003, 3, SignAsValidator(node, PongHash(ours, 1_000_003, 3))},
		"backpressure":               &Backpressure{Active: 5, Most: 300, Accepting: true},
		"backpressure with a reason": &Backpressure{Most: 1, Reason: "draining"},
		"capabilities":               &CapabilityDelta{Added: []string{"http", "llm"}},
		"assignment":                 assignment,
		"accepted":                   &Ack{ID: job},
		"duplicate":                  &Ack{ID: job, Status: Duplicate},
		"rejected":                   &Ack{ID: job, Status: Rejected, Reason: "full"},
		"progress":                   &Progress{job, 100, "done"},
		"result":                     &Result{job, bytes.Repeat([]byte("signed transaction"), 300)},
		"cancel":                     cancel,
		"goodbye":                    &Goodbye{UnsupportedVersion},
	}, ours, theirs
}

func anything(Message) bool { return true }

// Every frame is byte for byte what the independent program makes of it, its signatures among it, and is read as it was written.
//
// Spec: runner-marketplace §9.2, §9.3.
func TestFrameVectors(t *testing.T) {
	v := readVectors(t)
	list, ours, theirs := messages(t)
	if hex.EncodeToString(ours[:]) != v.Ours || hex.EncodeToString(theirs[:]) != v.Theirs {
		t.Errorf("challenges %x and %x, want %s and %s", ours, theirs, v.Ours, v.Theirs)
	}
	if len(list) != len(v.Frames) {
		t.Errorf("%d messages and %d vectors", len(list), len(v.Frames))
	}
	for name, m := range list {
		t.Run(name, func(t *testing.T) {
			raw := Append(nil, m)
			if hex.EncodeToString(raw) != v.Frames[name] {
				t.Fatalf("%x, want %s", raw, v.Frames[name])
			}
			got, err := Read(bytes.NewReader(raw), nil, anything)
			if err != nil || !reflect.DeepEqual(got, m) {
				t.Errorf("%+v %v, want %+v", got, err, m)
			}
		})
	}
}

// Subsets of sets of many sizes are those the independent program draws up.
//
// Spec: runner-marketplace §9.1.
func TestSubsetVectors(t *testing.T) {
	v := readVectors(t)
	key, _ := sides(t)
	runner := RunnerParty(key.Compressed())
	if hex.EncodeToString(runner[:]) != v.Runner {
		t.Fatalf("%x", runner)
	}
	for _, c := range v.Subsets {
		t.Run(fmt.Sprint(c.Validators), func(t *testing.T) {
			var set []sig.BLSPublicKey
			for i := range c.Validators {
				raw := sha512.Sum512(fmt.Appendf(nil, "validator %d", i))
				set = append(set, sig.BLSPublicKey(raw[:sig.BLSPublicKeySize]))
			}
			slices.SortFunc(set, func(a, b sig.BLSPublicKey) int { return bytes.Compare(a[:], b[:]) })
			var want []sig.BLSPublicKey
			for _, at := range c.Places {
				want = append(want, set[at])
			}
			if got := Subset(runner, set); !slices.Equal(got, want) {
				t.Errorf("%d of %d: %x, want %x", len(got), c.Validators, got, want)
			}
		})
	}
}

// What is signed of an invitation is what the independent program signs; the identity is that of the transport.
func TestInvitationVector(t *testing.T) {
	v := readVectors(t)
	_, node := sides(t)
	raw := sha512.Sum512([]byte("a validator"))
	one := &Invitation{Validator: sig.BLSPublicKey(raw[:48]), Endpoint: "validator.example:4301", Number: 1_790_000_000_000}
	one.Sign(chain, node)
	if hex.EncodeToString(one.Signature[:]) != v.Signature || hex.EncodeToString(one.Peer[:]) != v.Node {
		t.Errorf("%x by %x", one.Signature, one.Peer)
	}
	if id := one.Identity(); hex.EncodeToString(id[:]) != v.Identity || transport.ID(id) != transport.PublicKey(one.Peer).ID() {
		t.Errorf("%x, want %s", id, v.Identity)
	}
}
