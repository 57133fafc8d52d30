// Package job is the chapter of off-chain work: the Runner Registry 0x01 (chain/runner) with stake that is delegated to runners, the models that jobs name
// (chain/model), the Job Dispatcher 0x02 (chain/market) and the Result Verifier 0x03 (chain/verify, chain/verifier). On networks of developers scripts
// answer jobs (runtime/system/dispatcher).
//
// # Who answers a job
//
//   - JobSubmit of an account: registered runners.
//   - A message of an actor to 0x02, on a network of developers: the script it matches; else registered runners, if there are some who can; else it waits.
//   - The same on any other network: registered runners. Whoever awaits a job nobody takes is told why; any other job faults.
//
// The end of a block sends answers of scripts, does what is due of jobs, sends their answers, and pays out stakes, in this order.
//
// # What becomes of results
//
// Runners commit themselves (opcode 9) and reveal (7), or say that they crashed (97). The end of a block judges, tells whoever awaits the job, and pays when
// the dispute window is over. A result is challenged at 0x03, with the handler "challenge", 100 CBY and the map {job_id, runner, claim}.
//
// A check by an actor is a message of 0x03 to itself, whose turn calls the actor on the account of the job's origin.
//
// # What runners provide
//
// A runner signs what it provides, and says so to 0x01 by an Execute transaction with the handler "attest" and the attestation's CBOR. Jobs of an actor whose
// manifest requires something of runners go to those alone whose attestation provides it.
//
// Absent so far: the bias towards the most recent runner and presence, which are off at launch (runner-marketplace §4.5).
//
// Deliberately absent: the rules, which are in ring 0, and the work itself.
//
// Spec: WP §5, §9, §15; ENT §4, §5, §6; CIP-2 §3, §4, §5, §6; runner-marketplace; sdk §9.
package job
