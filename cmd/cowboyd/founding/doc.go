// Package founding makes the genesis of a network whose operators trust each other with nothing but its number: entries, the deal, and accepting it.
//
//	Entry     what each operator publishes: keys, proof of possession, stake, where its node is reached
//	Deal      what one of them, the dealer, makes of all entries: the genesis, and for each validator its share of the round seed
//	          sealed to it alone
//	Accept    what each operator does with the deal: opens its share and checks it against the genesis
//
// A deal is no secret: it goes to everybody, and to nodes that only follow. The dealer draws the polynomial of the first epoch, seals its values
// and forgets it. A dealer who keeps it could foretell the seeds of the first epoch; it cannot sign votes, and the resharing at the
// epoch's end makes what it kept useless. From then on there is no dealer.
//
// A share is sealed by HPKE (RFC 9180; X25519, HKDF-SHA256, AES-128-GCM) to a key derived from the vote key, and bound to the genesis's sharing and to
// the vote key it is for. The entry is signed with the vote key, so a messenger cannot put a key of its own into it.
//
// Deliberately absent: files, passwords, flags.
//
// Spec: WP §8.3, "Validator Set"; commonware §4.1, §4.3 (trusted dealer); node-rpc-cli §6 (genesis.json).
package founding
