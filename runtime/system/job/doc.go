// Package job is the chapter of off-chain work: the Runner Registry 0x01 (chain/runner), the Job Dispatcher 0x02 and the Result Verifier 0x03. On networks of
// developers scripts answer jobs (runtime/system/dispatcher).
//
// Absent so far: the dispatch of jobs to registered runners, and the verification of their results. chain/job has a job's specification, the draw and the
// size of committees for them; chain/runner scores and slashes for them. Until then scripts alone answer jobs, and on other networks nobody does.
//
// Deliberately absent: the rules, which are in ring 0, and the work itself.
//
// Spec: WP §5, §9; runner-marketplace.
package job
