// Package bank is the BankActor, 0x13: prepaid cards that pay the fees of an agent within limits that a guardian sets. Its rules are functions over a
// state.Store.
//
// # Who is who
//
// A bank has an operator, who may freeze its cards and pause it, and perhaps a signer of fiat vouchers. A card has an owner, the guardian, who sets its
// policy and takes its money back, and an agent, whose transactions it pays. Governance registers banks and replaces their operators and signers. Bank 1 is
// there from the beginning; governance operates it until it says otherwise.
//
// # Where the money is
//
// At the card's own derived address, which nobody has a key to: coins on its account, tokens in the token registry. There is no common balance. What a bank
// owns itself lies at the bank's address: the coins it sells to cards that pay in a token and the tokens it takes for them. What timers have been paid for
// in advance lies on the balance of 0x13.
//
// # A charge
//
//	card and bank found -> bank active -> card active, not expired -> receivers and kind admitted -> price -> windows rolled -> caps -> balance
//
// Purse makes these checks and the changes; Reserve takes the limits of a transaction at the prices of its block, Refund gives back what they did not cost.
// A refund lowers what a period has spent only while that period is still the present one.
//
// # Invariants
//
//   - Every function that gives an error has changed nothing, or leaves it to its caller to undo that.
//   - Coins and tokens only move; nothing here creates either, except for a token whose mint authority is the bank's address.
//   - What a period has spent is never above its cap when a charge is accepted.
//
// Deliberately absent: who may be a fee payer at all (package tx), when charges happen (runtime/transition), and hooks of tokens, which a card's payment
// token may not have.
//
// Spec: gateway-payments-streams §G; WP §9 (0x13).
package bank
