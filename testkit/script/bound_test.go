package script

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
)

// environment is the program of a trusted environment, written from the guide for runner operators and the choices about trusted environments alone. Its
// arguments are its key and its measurement.
func environment() {
	var asked map[string]string
	err := json.NewDecoder(os.Stdin).Decode(&asked)
	part := func(text string) []byte {
		raw, wrong := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if wrong != nil && err == nil {
			err = wrong
		}
		return raw
	}
	domain, about, hash := "cowboy/tee-verifier/ecdsa-attestation/v1", part(asked["job"]), part(asked["result_hash"])
	if asked["nonce"] != "" {
		domain, about, hash = "cowboy/tee-verifier/binding/v1", part(asked["nonce"]), part(asked["binding_hash"])
	}
	measurement := part(os.Args[2])
	payload := slices.Concat([]byte(domain), about, part(asked["runner"]), []byte("\x03tdx"), measurement, hash)
	key, wrong := ecdsa.ParseRawPrivateKey(elliptic.P256(), part(os.Args[1]))
	if err != nil || wrong != nil {
		fmt.Fprintln(os.Stderr, err, wrong)
		os.Exit(1)
	}
	sum := sha256.Sum256(payload)
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	const tdx = 3
	fmt.Println(hex.EncodeToString(slices.Concat([]byte{tdx}, measurement, hash, []byte{64}, signature)))
}

// TestBoundRunner: governance trusts the key of an environment. A runner in it sets its binding by itself, does a job that requires a trusted environment, and
// gets none once the one measurement that it is bound to is deprecated.
//
// Spec: tee §2.1, §2.3, §3, §5 (binding renewal, deprecation); runner-marketplace §2.5, §4.1.
func TestBoundRunner(t *testing.T) {
	t.Parallel()
	m := newMarket(t, "1h", "Paris")
	program, err := exec.LookPath("environment") // made by TestMain
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := key.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	r, measurement := m.runners[0], strings.Repeat("5a", 32)
	m.write("faucet.pem", string(wallet.Key(genesis.DevFaucet().Bytes()).PEM()))
	govern := func(line string) {
		m.run("cowboy tx " + line + " --measurement-hash " + measurement + " --private-key faucet.pem --wait")
	}
	govern("RegisterTeeTrustedKey --tee-type tdx --public-key " + hex.EncodeToString(public))

	m.write("declaration.json", `{"rate_card": {"llm_input_token": 20000, "llm_output_token": 30000, "max_job_value": 10000000000},
		"capabilities": {"job_types": ["llm"], "max_concurrent_jobs": 1, "tee_support": "tdx"}, "endpoint": "http://127.0.0.1:1"}`)
	m.run("cowboy runner register --private-key runner-0/runner.pem --declaration declaration.json --stake 0 --wait")
	config, err := os.ReadFile(m.dir + "/runner-0/config.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.write("runner-0/config.toml", fmt.Sprintf("%s\n[tee]\ncommand = [%q, %q, %q]\ntype = \"tdx\"\nmeasurements = [\"0x%s\"]\n", config, program,
		hex.EncodeToString(secret), measurement, measurement))
	gate := make(chan struct{})
	r.model.gate = gate
	m.work(0)
	var before wire.Runner
	m.until("it has set its binding", func() bool {
		before = wire.Runner{}
		return m.read("/runner/"+r.address, &before) && before.Binding != nil
	})
	b, listed := before.Binding, []string{"0x" + measurement}
	if b.Status != "Active" || !slices.Equal(b.Measurements, listed) || b.TEEType != "tdx" || before.BindingNonce != nil {
		t.Errorf("%+v, nonce %+v", b, before.BindingNonce)
	}
	if out := m.run("cowboy runner get --address " + r.address); !strings.Contains(out, "Trusted environments: tdx, Active;") {
		t.Error(out)
	}
	m.until("it knows", func() bool {
		var s struct{ Binding struct{ Bound bool } }
		out := m.run("cowboy-runner status --data-dir runner-0")
		return json.NewDecoder(bytes.NewReader([]byte(out))).Decode(&s) == nil && s.Binding.Bound
	})

	m.write("job.json", `{"job_type": {"Llm": {"prompt": "The capital of France?", "max_tokens": 100}},
		"verification": {"mode": "none", "runners": 1, "threshold": 1, "tee_required": true, "required_tee_type": "tdx"}, "max_price": 1000000000,
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": 60, "max_retries": 0}, "timeout_blocks": 1000}`)
	m.run("cowboy job submit --job-spec job.json --wait")
	m.run("cowboy dev mine 5") // the seed of its committee
	id := ""
	m.until("the job is given to it", func() bool {
		var jobs wire.RunnerJobs
		if m.read("/runner/"+r.address+"/jobs", &jobs) && len(jobs.Jobs) > 0 {
			id = jobs.Jobs[0].JobID
		}
		return id != ""
	})
	close(gate)
	var done wire.JobVerified
	m.until("it has done it", func() bool { return m.read("/job/"+id+"/verified", &done) })
	if done.Text != "Paris" {
		t.Errorf("%+v", done)
	}

	govern("DeprecateBinding --tee-type tdx")
	if out := m.run("cowboy runner get --address " + r.address); !strings.Contains(out, "Trusted environments: tdx, Deprecated;") {
		t.Error(out)
	}
	if out := m.fails("cowboy job submit --job-spec job.json --wait"); !strings.Contains(out, "NO_CAPABLE_RUNNERS") {
		t.Error(out)
	}
}
