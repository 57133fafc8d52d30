// Package job is the chapter of off-chain work: the Runner Registry 0x01 (chain/runner), the Job Dispatcher 0x02 and the Result Verifier 0x03. On networks of
// developers scripts answer jobs (runtime/system/dispatcher).
//
// Deliberately absent: the rules, which are in ring 0, and the work itself.
//
// Spec: WP §5, §9; runner-marketplace.
package job
