// Package paid sells the answer of a model piece by piece: the buyer pays each piece by a voucher of a session (chain/session). It has the runner's side and
// the buyer's.
//
// # A conversation, over one WebSocket at /sessions/ID
//
//	runner  terms    what a request and a piece cost, how many pieces come before they are paid, and the newest voucher that it has
//	buyer   ask      model, prompt, most pieces
//	runner  piece    one part of the answer, as the model gives it, and what is owed for all so far
//	buyer   voucher  of what is owed, with the count of pieces it is for
//	runner  end      why there is no more
//
// Pieces and vouchers pass each other: the runner goes on while no more than Ahead pieces are unpaid, and waits ten seconds for a voucher otherwise. The price
// of a request is paid before the model is asked. What is owed stays owed: the next request of the session begins when it was paid.
//
// # Who can lose what
//
//	buyer   what it has paid for is here: a voucher is for pieces that came, beside the price of a request. Nothing is signed above the terms agreed on.
//	runner  Ahead pieces of each session, once; after a power cut, what vouchers of the last tenth of a second say
//
// The usage digest of a voucher is that of the conversation up to a piece: keccak256 over the one before it and keccak256 of the piece, beginning with the hash
// of the question. Two sides that see different answers stop there. The terms have a digest, which a session can be opened with (price_advert_digest).
//
// # Subsystems
//
// A Book keeps the newest voucher of each session in a framed journal. The Keeper makes it durable ten times a second. The Collector looks at the chain every
// five seconds, and settles a voucher that is worth enough, or whose session closes or ends soon. Both are supervised. A Seller is the http.Handler.
//
// Spec: gateway-payments-streams §D (Voucher, 54).
package paid
