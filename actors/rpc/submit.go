package rpc

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// submit takes one submission. Spec: node-rpc-cli §2.2, §3.
func (s *server) submit(w http.ResponseWriter, r *http.Request) {
	list, err := s.readSubmission(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	reply, err := s.Backend.Submit(r.Context(), list)
	s.answerSubmit(w, reply, reply, err)
}

// heartbeat is submit for the heartbeats of one runner, which it has signed.
//
// Spec: runner-marketplace §3 (RPC).
func (s *server) heartbeat(w http.ResponseWriter, r *http.Request) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		s.fail(w, badAddress(err))
		return
	}
	list, err := s.readSubmission(r)
	for _, one := range list {
		if one.Tx == nil {
			err = badRequest("a heartbeat is a transaction, and this is none")
			break
		}
		if _, ok := one.Tx.Instruction.(*tx.Heartbeat); !ok || one.Tx.From != addr {
			err = badRequest("heartbeats of this runner are taken here, and nothing else")
			break
		}
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	reply, err := s.Backend.Submit(r.Context(), list)
	s.answerSubmit(w, reply, reply, err)
}

// answerSubmit answers 200 when anything was added; a submission in which every transaction was refused answers 400 with the
// first refusal, whose context lists them all.
func (s *server) answerSubmit(w http.ResponseWriter, reply wire.SubmitReply, body any, err error) {
	if err == nil && reply.Added == 0 {
		for _, refused := range reply.Errors {
			if refused != nil && refused.Code != 1020 {
				first := *refused
				first.Context = map[string]any{"errors": reply.Errors, "hashes": reply.Hashes}
				writeJSON(w, http.StatusBadRequest, first)
				return
			}
		}
	}
	s.answer(w, body, err)
}

// submitWait also waits for the receipts, `timeout_ms` from 100 to 10,000 milliseconds.
func (s *server) submitWait(w http.ResponseWriter, r *http.Request) {
	wait, err := number(r, "timeout_ms", 5_000)
	if err != nil || wait < 100 || wait > 10_000 {
		s.fail(w, badRequest("timeout_ms is a number from 100 to 10000"))
		return
	}
	list, err := s.readSubmission(r)
	if err != nil {
		s.fail(w, err)
		return
	}
	reply, err := s.Backend.Submit(r.Context(), list)
	if err != nil {
		s.fail(w, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(time.Duration(wait)*time.Millisecond, s.Limits.WaitMax))
	defer cancel()
	full := wire.SubmitWaitReply{SubmitReply: reply, Receipts: make([]*wire.Receipt, len(reply.Hashes))}
	s.awaitReceipts(ctx, &full)
	s.answerSubmit(w, reply, full, nil)
}

func (s *server) awaitReceipts(ctx context.Context, full *wire.SubmitWaitReply) {
	for height := s.Backend.Height().Height; ; height++ {
		missing := false
		for i, text := range full.Hashes {
			if full.Receipts[i] != nil || (i < len(full.Errors) && full.Errors[i] != nil) {
				continue
			}
			hash, _ := hex.DecodeString(trim0x(text))
			if receipt, err := s.Backend.Receipt(digest.Hash(hash)); err == nil {
				full.Receipts[i] = &receipt
			} else {
				missing = true
			}
		}
		if !missing || s.Backend.AwaitFinal(ctx, height+1) != nil {
			return
		}
	}
}

// readSubmission takes the transactions out of a body: JSON {"tx": hex}, {"txs": [hex]} or [hex], the tagged binary list,
// or one bare transaction. Recovery ids are accepted as wallets write them.
//
// Spec: node-rpc-cli §3; commonware §0.
func (s *server) readSubmission(r *http.Request) ([]tx.Encoded, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var list []tx.Encoded
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		list, err = splitJSON(body)
	} else {
		list, err = SplitSubmission(body)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, badRequest("the submission holds no transaction")
	}
	if len(list) > s.Limits.SubmitCount {
		return nil, badRequest("a submission holds at most 50 transactions")
	}
	return list, nil
}

func splitJSON(body []byte) ([]tx.Encoded, error) {
	var texts []string
	var object struct {
		Tx  string   `json:"tx"`
		Txs []string `json:"txs"`
	}
	if json.Unmarshal(body, &texts) != nil {
		if err := json.Unmarshal(body, &object); err != nil {
			return nil, badRequest(`a JSON submission is {"tx": "<hex>"}, {"txs": [...]} or an array of hex texts`)
		}
		texts = object.Txs
		if object.Tx != "" {
			texts = append(texts, object.Tx)
		}
	}
	list := make([]tx.Encoded, 0, len(texts))
	for _, text := range texts {
		raw, err := hex.DecodeString(trim0x(text))
		if err != nil {
			return nil, badRequest("a transaction is hex digits")
		}
		list = append(list, tx.FromEdge(raw))
	}
	return list, nil
}

// fund asks the faucet for an address. Spec: node-rpc-cli §2.5.
func (s *server) fund(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Address string `json:"address"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		s.fail(w, badRequest(`the body is {"address": "0x…"}`))
		return
	}
	addr, err := account.ReadAddress(request.Address)
	if err != nil {
		s.fail(w, badAddress(err))
		return
	}
	if !s.faucet.AllowN(s.Now(), 1) {
		w.Header().Set("Retry-After", "12")
		s.fail(w, refuse(http.StatusTooManyRequests, 4029, "the faucet serves five requests a minute"))
		return
	}
	reply, err := s.Backend.Faucet(r.Context(), addr)
	s.answer(w, reply, err)
}
