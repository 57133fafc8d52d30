// Package runtime is ring 1: the Python machine (pvm) and the drain that feeds it, in one exact order per block.
//
// The directory holds no code of its own. It may import chain and small pure libraries, and obeys the same purity
// rule: a block, a parent state and parameters go in; a state delta, receipts and effects come out.
package runtime
