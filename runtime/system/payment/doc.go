// Package payment is the chapter of the PaymentGate at 0x12: what requests over HTTP cost an actor's clients, and how they pay. The rules are package
// chain/payment's.
//
// A method is a handler that takes canonical CBOR, a dict by the parameters' names or a list, in a message, a call or an Execute transaction, and answers with
// CBOR. Amounts are base units.
//
//	set_policy(actor, default_mode, price_table, …)   by who speaks for the actor
//	get_policy(actor)
//	deposit_budget(actor)                             with coins
//	withdraw_budget(actor, amount)                    by who speaks for the actor, who gets them
//	budget_balance(actor)
//	purchase_pass(actor, credits)                     with coins; what is left of them goes back
//	pass_balance(actor, holder)
//	purchase_epoch(actor, epochs)                     with coins; what is left of them goes back
//	epoch_status(actor, holder)
//	verify_payment(payment, actor, method, path, rest)   by an active gateway
//	settle_payment(payment, actor, method, path, rest)   by the gateway of the payment
//	deduct_budget(actor, method, path)                by an active gateway
//	payment_status(payer, form, nonce)
//	credit_inbound                                    deferred: always refused
//
// Spec: gateway-payments-streams §F; WP §9 (0x12).
package payment
