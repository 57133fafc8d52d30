// Package event is the rules of Event Subscription, 0x1D: actors subscribe to what other actors emit. A subscription names an emitter and a topic, holds gas
// that was paid for in advance, and has a bid, burned, that decides the order. Its rules are functions over a state.Store; package runtime/system/event runs
// the handlers.
//
// # A subscription
//
//	Subscribe    pays a fee and the bid, both burned; gas and the price of its cells, both kept for the subscription
//	UpdateBid    burns more; it counts from the next emit on
//	TopUp        adds gas, at the price of now
//	Unsubscribe  gives back what is left of the gas's price, and that of the cells; the emitter may have it so too
//
// An emit goes through the order: highest bid first, then the oldest, then by identity. It fires subscriptions of earlier blocks alone, with gas of earlier
// blocks alone: so whatever becomes of a turn, what its hooks used is there to be paid (Spend). A subscription with less than MinFireGas is removed when an
// emit comes to it.
//
// # Gas
//
// A unit of gas is a cycle, paid at the User lane's basefee of the block that pays, which the subscription keeps as coins: what is used takes its part of them,
// rounded down, which is burned, and the last unit takes the rest. A cell that a hook uses takes as much gas as the cell's basefee is worth in cycles, rounded
// up once a fire.
//
// # The deferred part
//
// Those beyond the first SyncFires, or for which an emit has no room, go into batches of at most BatchFires in their order. A later block takes batches from
// the front of the list; what does not fit it stays there.
//
// # Layout, records of 0x1D
//
//	event:sub/    ‖ id(32)                                                Subscription
//	event:order/  ‖ topic_id(32) ‖ u64max−bid(8) ‖ height(8) ‖ id(32)     nothing
//	event:topic/  ‖ topic_id(32)                                          UInt how many
//	event:of/     ‖ subscriber(20) ‖ id(32)                               nothing
//	event:batch/  ‖ seq(8)                                                Batch
//	event:counters                                                        Counters
//
// topic_id = keccak256(emitter ‖ topic).
//
// # Invariants
//
//   - Counters.Held is the sum of the coins of all subscriptions, and what the chapter says it holds.
//   - A topic has at most PerTopic subscriptions; event:topic/ counts its keys of event:order/, of which each subscription has one.
//   - Bids only grow.
//
// Deliberately absent: a rule by which a higher bid drives out a lower one where a topic is full (the emitter may make room), events of Ethereum.
//
// Spec: gateway-payments-streams §H; sdk §19.4; WP §9 (0x1D).
package event
