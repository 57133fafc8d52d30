// Package voucher is what a payer signs for a runner in a session of payment: how much the runner may have taken in all by now. Vouchers pass between the two
// outside of the chain, one after each piece of work, and the last one is enough to be paid for all of them.
//
// A Voucher is signed as EIP-712 typed data, so that wallets can show it. A Running voucher is either side's view of the sequence: the payer raises it, the
// runner accepts what raises it. The chain (package session) holds one voucher to the same Check.
//
// # Invariants
//
//   - Nonce and amount of the vouchers of a session only grow.
//   - A digest is of one chain, one session, one amount.
//
// Deliberately absent: how vouchers travel, and what work is worth.
//
// Spec: gateway-payments-streams §D (Voucher).
package voucher
