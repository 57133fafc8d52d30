// Package genesis builds the state and the header at height 0.
//
// Spec: WP §8.1, §8.3, §9, §13; node-rpc-cli §6 (genesis.json).
//
// A Spec is what the makers of a network agree on; its JSON form is the file
// genesis.json. Build writes it into an empty state: allocations, system actors,
// governed parameters, basefees, supply, validators and the public side of their
// threshold key. Header then seals the state root. Two nodes with one genesis.json
// have one genesis hash.
//
// Mainnet allocates the whole supply to the ten buckets of WP §8.3. The coins of a
// bucket lie at an address derived from its name, which no key controls: a release
// is a governance act, and the vesting terms recorded here are what governance is
// held to. Devnet gives a faucet and one validator, with keys everybody knows.
//
// Invariants
//   - The sum of all balances is the declared total supply, to the base unit.
//   - A Spec and its JSON determine each other: unknown fields are refused.
//   - Build depends on the Spec alone.
//
// Deliberately absent: key files, and how the validators' shared key was made.
package genesis
