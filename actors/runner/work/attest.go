package work

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// Bounds of a program that attests.
const (
	attestWithin = 30 * time.Second
	maxAttested  = 4 << 10 // bytes it prints
)

// Environment is the program of the trusted environment that a worker runs in, which holds the key that governance trusts. It is run for each result, and for
// each proof of what the runner is bound to, reads a line of JSON and prints its evidence in hexadecimal digits.
//
//	{"job": "0x…", "runner": "0x…", "result_hash": "0x…"}         what it is asked, the last the SHA-256 of the result
//	{"binding_hash": "0x…", "nonce": "0x…", "runner": "0x…"}      or this, of tee.Statement's BindingPayload
//	tee_type(1) ‖ measurement(32) ‖ the hash(32) ‖ Bytes signature     what it prints
//
// Spec: tee §2.1 (TeeAttestation in a result), §2.3, §4.
type Environment struct {
	Command []string
	Runner  account.Address
}

// attested adds what the environment says of a result to the output of a job that requires it.
//
// Spec: tee §4; runner-marketplace §6.1.
func (s *Set) attested(ctx context.Context, spec *job.Spec, out *Output) error {
	if !spec.Verification.TEERequired {
		return nil
	}
	raw, err := s.Environment.ask(ctx, map[string]string{"job": spec.ID.String(), "result_hash": digest.SHA256(out.Data).String()})
	if err != nil {
		return &Error{Transient, err}
	}
	e, err := tee.DecodeEvidence(raw)
	want := spec.Verification.TEEType
	switch {
	case err != nil:
		return &Error{Permanent, err}
	case e.Data != digest.SHA256(out.Data):
		return &Error{Permanent, tee.ErrResult}
	case want != nil && *want != e.Type.String():
		return &Error{Refused, tee.ErrMissing}
	}
	out.TEE = raw
	return nil
}

// Bound has the environment sign what the runner is bound to, with a nonce of the chain.
//
// Spec: tee §2.3.
func (e *Environment) Bound(ctx context.Context, nonce, binding digest.Hash) ([]byte, error) {
	raw, err := e.ask(ctx, map[string]string{"nonce": nonce.String(), "binding_hash": binding.String()})
	if err != nil {
		return nil, err
	}
	proof, err := tee.DecodeEvidence(raw)
	if err == nil && proof.Data != binding {
		err = tee.ErrEvidence
	}
	return raw, err
}

// ask runs the program.
func (e *Environment) ask(ctx context.Context, of map[string]string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, attestWithin)
	defer cancel()
	of["runner"] = e.Runner.String()
	asked, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, e.Command[0], e.Command[1:]...)
	cmd.Env, cmd.Stdin, cmd.WaitDelay = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, bytes.NewReader(append(asked, '\n')), time.Second
	endWithParent(cmd)
	said, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(said, maxAttested))
	if len(text) == maxAttested {
		cancel() // it would wait for somebody who reads on
	}
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return nil, err
	}
	return hex.DecodeString(string(bytes.TrimSpace(text)))
}
