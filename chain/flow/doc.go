// Package flow is the ledger of coins: what a block minted, burned and for which cause, put into pots outside of the accounts and took out of them, and paid
// to validators. It is bookkeeping beside the rules: no root commits to it, and nothing in consensus reads it.
//
// A Sheet is the page of one block, or of several together. Its lines are by kind and label, each at most once, in ascending order, so that two sheets of the
// same flows have the same bytes.
//
// Invariants
//   - Supply is that after the newest block, and Before that before the oldest: Before + minted − burned = Supply, to the base unit.
//   - What lies in a pot after a block is what lay there before, plus In, less Out.
//
// Pots are: the gas that origins of messages hold (Fees), coins under way in messages (Messages), the escrow of each chapter under the chapter's name, and two
// accounts of the protocol, Treasury and Stake.
//
// Deliberately absent: who keeps sheets (actors/ledger), and who adds up days of them (actors/index).
//
// Spec: WP §8.1, §8.2, §8.4.
package flow
