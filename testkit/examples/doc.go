// Package examples holds Python actors a developer would start from, and the scenarios that show them at work.
//
//	agent, journal    an actor that wakes itself and tells another one
//	auction           appraisals in parallel, deposits, bids, payment
//	chat              a model's answers, kept
//	cip20             ICIP20Actor: the handlers and events expected of a token that an actor keeps
//	coin              an owner who mints, pauses and hands over
//	guardian          cards that pay the fees of agents
//	escrow            coins that wait for a decision or a deadline
//	feed, follower    a stream that its publisher signs, pushed, pulled and sold by the epoch
//	guestbook         routes, requests through the gateway, a volume of pages
//	ledger            code that cannot change: entries move to a successor
//	oracle            a price runners agree on: Verify, Retry, a timer
//	orderbook         orders that meet by price, then by time
//	poll              one vote each until the poll's own timer
//	quotes            a fan-out of jobs and the middle of what came back
//	reminder          a timer that starts a continuation, a continuation that sets a timer
//	settings          a system actor upgraded in place, and its storage migrated
//	stream            pay by the block
//	token             balances, allowances, coins wrapped
//	treasury          a token of the registry that its actor makes, gives, takes and destroys
//
// Spec: gateway-payments-streams §E (feed); tokens §8 (cip20), §3 (treasury); sdk §13.
//
// TestAgentDay lives a day of an agent with a card, a session with a runner, a paid stream and 600 subscribers, against sums made by hand. It is short where
// nobody asks for more: -args -day 86400 is a whole day, a minute's work.
//
// Every handler is called in a scenario in Go and in a test in Python (tests/test_<actor>.py); TestEveryHandler holds to it.
package examples
