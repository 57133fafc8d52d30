// Package session is the Session Actor, 0x0C: a payer puts coins in escrow towards one runner and pays by vouchers (package voucher) that each state all that
// the runner may have taken by then. Its rules are functions over a state.Store.
//
// # States
//
//	Open     SessionDeposit adds to it, SessionSettle pays out, SessionClose leads to Closing; past its expiry anybody finalizes it
//	Closing  SessionSettle pays out still; after ClosingBlocks anybody finalizes it
//	Settled  it was finalized, and something was paid
//	Refunded it was finalized, and nothing was paid
//
// Disputed and Slashed are numbers of the documents that no rule leads to: SessionSlash is deferred.
//
// # Coins
//
// The escrow lies in the balance of 0x0C. A settlement takes what a voucher is above the last one: parts of it by the network's split are burned and the
// treasury's, each rounded down, and the rest is the runner's. Finalizing gives the payer what was not spent.
//
// # Layout, records of 0x0C
//
//	session: ‖ id(32)   Session
//
// # Invariants
//
//   - spent ≤ deposit ≤ max_amount. The balance of 0x0C is at least the sum of deposit − spent over the sessions that are not finalized.
//   - A session that is finalized does not change again.
//
// Deliberately absent: assets beside CBY (reserved), SessionSlash and disputes (deferred), how vouchers travel.
//
// Spec: gateway-payments-streams §D; WP §9 (0x0C).
package session
