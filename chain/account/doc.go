// Package account holds addresses, their derivation, the account record and the
// book of accounts through which all coins move, and the layout of state keys.
//
// Spec: WP "Accounts and State", §1.1–1.3, §9; commonware §5.10 (keys).
//
// Invariants
//   - An address is 20 bytes. Below 0x100 lies the reserved band of the system
//     actors, which no key and no derivation can reach.
//   - An external account's record is its balance and nonce alone; every other
//     field belongs to actors and costs a plain account nothing.
//   - No other package changes a balance: coins leave and enter accounts by
//     Move, Credit and Debit alone, and an error of theirs changes nothing.
//   - A state key names its namespace, its kind and its address before anything
//     else, so one account's entries of one kind are one contiguous range.
//
// Deliberately absent: what the records of the other kinds contain (each chapter
// encodes its own), who may change an account, and the canonical form of source
// (runtime/pvm).
package account
