package runner

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the registry.
const (
	underState    = "runner:state/"    // address → Runner
	underDeclared = "runner:declared/" // address → Declaration
	underLeaving  = "runner:leaving/"  // be8 height ‖ address → nothing
	underAttested = "runner:attested/" // address → entitle.Attestation

	underOffer = "runner:offer/" // address → Declaration without its lists
	underAble  = "runner:able/"  // Ability ‖ address → nothing

	underTranche   = "delegation:tranche/"   // runner ‖ delegator ‖ be8 number → Tranche
	underDelegator = "delegation:delegator/" // delegator ‖ be8 number → runner
	underSummary   = "delegation:summary/"   // runner ‖ delegator → Summary
	underTotals    = "delegation:totals/"    // runner → Totals
	underTerms     = "delegation:config/"    // runner → DelegationConfig
	underUnbonding = "delegation:unbonding/" // be8 height ‖ be8 number → delegator
	keyTranches    = "delegation:counter"    // UInt: the number of the last tranche
)

// Home is where the registry and its coins lie.
func Home() account.Address { return account.System(account.RunnerRegistry) }

func under(prefix string, addr account.Address) []byte {
	return append(account.KeyString(account.KindRecord, Home(), prefix), addr[:]...)
}

func stateKey(addr account.Address) []byte { return under(underState, addr) }

func declaredKey(addr account.Address) []byte { return under(underDeclared, addr) }

func attestedKey(addr account.Address) []byte { return under(underAttested, addr) }

func leavingKey(at unit.Height, addr account.Address) []byte {
	key := account.KeyString(account.KindRecord, Home(), underLeaving)
	return append(binary.BigEndian.AppendUint64(key, uint64(at)), addr[:]...)
}

// numbered is the key of a tranche's number below one or two addresses.
func numbered(prefix string, number uint64, of ...account.Address) []byte {
	key := account.KeyString(account.KindRecord, Home(), prefix)
	for _, a := range of {
		key = append(key, a[:]...)
	}
	return binary.BigEndian.AppendUint64(key, number)
}

func trancheKey(to, from account.Address, number uint64) []byte {
	return numbered(underTranche, number, to, from)
}

func summaryKey(to, from account.Address) []byte { return append(under(underSummary, to), from[:]...) }

func unbondingKey(at unit.Height, number uint64) []byte {
	key := account.KeyString(account.KindRecord, Home(), underUnbonding)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(key, uint64(at)), number)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...][2]string{
		{underState, "runners"}, {underDeclared, "what runners declare"}, {underLeaving, "runners that leave, by height"},
		{underAttested, "what runners say they provide"},
		{underOffer, "what runners ask for"}, {underAble, "runners, by what they can do"},
		{underTranche, "delegated stakes, by runner"}, {underDelegator, "delegated stakes, by delegator"},
		{underSummary, "what a delegator has behind a runner"}, {underTotals, "what all have behind a runner"},
		{underTerms, "on what terms a runner takes delegated stake"}, {underUnbonding, "delegated stakes that unbond, by height"},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c[0], c[1], false))
	}
	return append(list, account.RecordClaim(chapter, Home(), keyTranches, "the number of the last delegated stake", true))
}
