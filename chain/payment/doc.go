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
// # Invariants
//
//   - Matching a path is linear in its length and the pattern's; a policy has at most 100 prices and 10 assets.
//   - An intent is for one chain, one actor, one request, one amount, and up to one height.
//
// Deliberately absent: the state of the PaymentGate at 0x12 - policies, budgets, passes, epochs and spent nonces - and with it settling.
//
// Spec: gateway-payments-streams §F.
package payment
