package market

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the dispatcher.
const (
	underJob        = "market:job/"        // id → Job
	underSpec       = "market:spec/"       // id → canonical job.Spec
	underSelection  = "market:selection/"  // id → Selection
	underCandidates = "market:candidates/" // id → candidates, until the draw
	underCaller     = "market:caller/"     // id → Caller
	underCommitment = "market:commitment/" // id ‖ runner → Commitment
	underReveal     = "market:reveal/"     // id ‖ runner → Reveal
	underResult     = "market:result/"     // id → Result
	underInquiry    = "market:inquiry/"    // id → Inquiry
	underRerun      = "market:rerun/"      // id → Rerun
	underOriginal   = "market:original/"   // id of a second run → id of the first
	underPaying     = "market:paying/"     // id → Paying: settlements that are under way
	underRunner     = "market:runner/"     // runner ‖ id → nothing: jobs it is selected for and that are open
	underSubmitter  = "market:submitter/"  // submitter ‖ id → nothing
	underAlias      = "market:alias/"      // what clients derive an identity by → id
	underDue        = "market:due/"        // be8 height ‖ id → nothing
	underSeed       = "market:seed/"       // be8 epoch ‖ be8 view ‖ id → nothing: jobs that await a seed
	underAnswer     = "market:answer/"     // be8 height ‖ id → Answer
	underRecent     = "market:recent/"     // submitter ‖ kind(1) → Recent
	keyEscrow       = "market:escrow"      // UInt
	keyEpoch        = "market:epoch"       // epochs
	keyCommittee    = "market:committee"   // Size
)

// Home is where jobs lie.
func Home() account.Address { return account.System(account.JobDispatcher) }

func under(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

func jobKey(id digest.Hash) []byte { return under(underJob, id[:]) }

func of(prefix string, id digest.Hash) []byte { return under(prefix, id[:]) }

func memberKey(prefix string, id digest.Hash, runner account.Address) []byte {
	return under(prefix, id[:], runner[:])
}

func ownerKey(prefix string, owner account.Address, id digest.Hash) []byte {
	return under(prefix, owner[:], id[:])
}

func heightKey(prefix string, at unit.Height, id digest.Hash) []byte {
	return under(prefix, binary.BigEndian.AppendUint64(nil, uint64(at)), id[:])
}

func seedKey(round sig.Round, id digest.Hash) []byte {
	return under(underSeed, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, round.Epoch), round.View), id[:])
}

// Alias is what clients take for the identity of a job: SHA-256(transaction ‖ height as be8).
//
// Spec: node-rpc-cli §2.4.
func Alias(source digest.Hash, height unit.Height) digest.Hash {
	return digest.SHA256(binary.BigEndian.AppendUint64(source[:], uint64(height)))
}

// idOf is the identity a key ends with.
func idOf(key []byte) digest.Hash { return digest.Hash(key[len(key)-digest.Size:]) }

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...]struct {
		suffix, holds string
		exact         bool
	}{
		{underJob, "jobs", false},
		{underSpec, "specifications of jobs", false},
		{underSelection, "runners selected for jobs", false},
		{underCandidates, "candidates of jobs that await a seed", false},
		{underCaller, "what is told to whoever awaits a job", false},
		{underCommitment, "commitments to results", false},
		{underReveal, "results that were revealed", false},
		{underResult, "verified results", false},
		{underInquiry, "what actors of checks are asked and said of jobs", false},
		{underRerun, "second runs of jobs", false},
		{underOriginal, "jobs, by their second run", false},
		{underPaying, "what is left to pay of jobs whose settlement takes several blocks", false},
		{underRunner, "jobs, by runner", false},
		{underSubmitter, "jobs, by submitter", false},
		{underAlias, "identities of jobs, by what clients take for them", false},
		{underDue, "jobs, by the height something of them is due at", false},
		{underSeed, "jobs that await a seed, by round", false},
		{underAnswer, "answers that are not sent yet, by height", false},
		{underRecent, "runners that did somebody's last jobs, by kind", false},
		{keyEscrow, "what is held for jobs", true},
		{keyEpoch, "where epochs ended", true},
		{keyCommittee, "the size of committees", true},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c.suffix, c.holds, c.exact))
	}
	return list
}
