// Package payment is what a request over HTTP costs an actor's clients, and the word by which one pays it: policies, the decision, and intents. It is pure;
// package present has the forms that HTTP gives these.
//
// # The decision
//
//	free -> subscription -> pass -> budget -> payment of the request -> 402
//
// The first price of the policy whose path and method are the request's is its price; where none is, or its amount is zero, it is free. A budget is asked
// only where the actor pays for its clients.
//
// # Life of a payment
//
//	Quoted ─verify_payment─► Verified ─settle_payment─► Settled
//	   └────────settle_payment────────────────────────────▲       Verified ─its time is over─► Expired: coins or credit go back
//
// A payment names its request, with the gateway that quoted it: an intent by the request's hash, an authorization of x402's scheme "exact" by the address it
// pays to, which is made of that hash. Its amount is the price of the policy in the block that takes it. It counts once a payer.
//
// # Layout, records of 0x12
//
//	payment:policy/ ‖ actor(20)                     Policy
//	payment:budget/ ‖ actor(20)                     Funds
//	payment:pass/   ‖ PassOf(32)                    Credits
//	payment:epoch/  ‖ actor(20) ‖ holder(20)        UInt the last height of a subscription
//	payment:spent/  ‖ Key(53)                       Record of a payment
//	payment:due/    ‖ height(8) ‖ what(1) ‖ the rest of the key of one of the last three
//	payment:held                                    UInt what the book holds for others: budgets, and what is held of payments
//
// # Invariants
//
//   - Matching a path is linear in its length and the pattern's; a policy has at most 100 prices and 10 assets.
//
//   - A payment is for one chain, one gateway, one actor, one request, one amount, and up to one height or time.
//
//   - A nonce is remembered until the payment could not be shown again, which is at most MaxHold blocks or seconds; a block looks at SweepPerBlock entries.
//
//   - Every coin held is in payment:held.
//
//   - Every token held is in the gate's own balance at the registry. A token with a hook pays for nothing, and one that was given a hook, or was frozen for
//     the gate, while it is held goes back to its payer all the same.
//
// Deliberately absent: tokens for budgets, passes and epochs; x402's "exact" in tokens, whose identifiers are no addresses; inbound assets
// of bridges, which §F defers.
//
// Spec: gateway-payments-streams §F.
package payment
