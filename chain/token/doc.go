// Package token is the registry of fungible tokens: rules that are functions over a state.Store, under the address 0x06, which it shares with the basefees.
//
// Spec: tokens §2, §4, §5, §6, §7; WP §9.
//
// # A token
//
//   - Quantities are whole numbers of its smallest units, of 128 bits; decimals change what people are shown and nothing else.
//   - The supply is at most the token's maximum, or 10³⁰. Creating and minting add to it, burning takes from it, and nothing else changes it.
//   - The owner names the hook and hands the token on. An authority to mint or to freeze that the owner has goes with it.
//   - An account that is frozen for a token neither sends, receives, burns nor is minted to. Its allowances stay.
//
// # A transfer
//
//	[allowance, lowered] -> balance -> sender not frozen -> receiver not frozen -> can_transfer -> debit, credit -> on_transfer -> event
//
// Whoever is neither owner nor authority, or has no allowance, may act by a grant of the Entitlement Registry (package grant): of minting, freezing, the hook
// and the ownership in the token's scope, which its owner administers; of transferring in the holder's scope, which the holder does. Burning names nobody but
// who burns, so a grant of it gives nothing. A grant is asked last, and counted when it is used.
//
// While a token's hook runs, whatever would change that token is refused (ErrBusy): so what the steps before the hook have found still holds after it. Reading
// is allowed, and other tokens may be changed.
//
// # Invariants
//
//   - The balances of a token add up to its supply, after every function that gives no error.
//   - A function that gives an error may have written; the caller undoes that.
//   - Everything is bounded: names, lists, pages. A balance, an allowance of zero has no entry.
//
// Deliberately absent: prices and who may ask, which are the caller's (runtime/system/token); the holders of a token, which need an index; setting an authority
// apart from the owner, for which nothing published has an instruction; tokens in a genesis.
package token
