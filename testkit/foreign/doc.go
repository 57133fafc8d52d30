// Package foreign holds the chain against a client in another language that shares no line with it. client.mjs encodes, hashes, signs, sends and proves by
// the public documents alone; vectors.json is what it printed, and the tests hold our code against it. Where Node is installed they also let
// the client use a running node: fund, transfer, wait, prove receipts, accounts and absences, refuse tampered proofs.
//
// `node client.mjs vectors > vectors.json` makes the vectors again.
package foreign
