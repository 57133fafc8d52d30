// Package economy holds the chain's economy to a second model: one chain, and transactions of all its chapters at random, in blocks and the order of the
// blocks. The model is the text of the documents again, in whole numbers and maps, and knows nothing of the chapters' code: tokens and grants, coins and the
// treasury, rent, governance. What a transaction ends with is what the model says, and after each block all that people, actors, the treasury, tokens and
// proposals have is the model's to the unit.
//
// The package has tests alone.
//
// Deliberately absent: hooks and actors' code (runtime/system/token), fees by their formula (chain/fee), jobs and storage (their chapters' models).
package economy
