// Package proxy is a proxy of the secret service, off the chain: it holds shares of release keys, makes and passes on keys with other proxies, and gives
// partials to runners that the chain allows.
//
//	proxy        one-for-one
//	├─ keeper      decides, and alone has the vault
//	└─ couriers    ask the chain and other proxies; the first one the chain alone
//
// Beside the tree the Door answers runners, many at a time, with the shares that the keeper has published.
//
// # How a new key is made
//
//	upon a poll that has a committee drawn    each member deals shares of a random polynomial, whose commitments are hidden (Pedersen)
//	upon a share that fits                    it is kept, then acknowledged; one that does not fit is not, which is the complaint
//	upon logs of enough dealers               a leader proposes dealers and members; every member has shares of every dealer
//	upon a proposal                           a member votes, if nobody is left out who shows that it has shares
//	upon votes of more than half              it opens its public share, with a proof, and never votes for another proposal
//	upon openings as many as the threshold    the key follows from them; members sign the rotation, and the chain decides
//
// So the dealers are fixed before anybody can know the key, and none can take its part back. A key that is passed on needs no openings: dealers share what they
// have, their commitments begin with what the chain knows of them, and the sum with Lagrange's weights has the same key. Any member leads, each some
// ticks after the one before it; a member's share is found when the key is on the chain. Up to n−t members may be silent, cut off or bad for this to end;
// fewer than t learn nothing. A member that is cut off until the key is on the chain has no share of it before the key is passed on once more, and counts
// as one of the n−t.
//
// # What is kept, and when
//
// The vault has the identity, shares, and of sessions the dealer's seed, the shares of others and the proposal this member opened for. It is sealed
// (XChaCha20-Poly1305, scrypt), replaced as a whole, and synced before anything leaves that rests on it. A dealer deals the same after a restart. A share is
// erased in memory and on the disk once its committee serves no more, and never upon a node's word that a key is not there, unless it says so for 100 blocks.
//
// # What is served
//
// Requests in the order of the digest: what the state says first, in one call to the proxy's node; then requests that were served before, the actor's
// rate, and whether the version is pending. A request is in the journal before its answer leaves. All of an answer follows from the request and the share, so
// that no restart, not even one with an older journal, gives two answers to one request. The partial is sealed to the runner's key; what
// goes to the chain is a blinded receipt. Receipts wait 0 to 10 blocks, and are sent again if they do not show. Partials of time locks go to the chain in
// the clear once the beacon has reached their rounds; members beyond the threshold stand by for some blocks.
//
// SealRequests of paid streams are answered to whoever asks for one by its number: partials for its key epochs, under the proxy's signature, sealed to the
// beneficiary's key as the chain has it now. They are the same for all who ask, so they are not in the journal; the newest 4,096 are kept in memory. The chain
// gets a blinded receipt, as of a release, from as many members as it takes.
//
// # Bounds
//
// 64 sessions, 65,536 receipts; two proposals of each member; dealers and acknowledgements by the size of a committee; questions by package exchange; 32
// questions to the proxy's node on behalf of others. What proxies say to each other is taken from connections that show the key of a registered proxy, before
// it is read, and judged if it is one that takes part.
//
// The key of a private volume is asked for as a secret is, by runners and by accounts themselves; what the proxy's node holds it to are the volume's grants.
// Packages release and unseal are who asks: for secrets and the keys of volumes, and about SealRequests.
//
// Deliberately absent: payouts.
//
// Spec: secrets-cbss §3, §4, §5, §10, §11.
package proxy
