// Package wallet keeps secp256k1 keys in the files existing tools read: a PEM block `COWBOY PRIVATE KEY` with the curve
// and a checksum, raw hex, and BIP-39 phrases derived along the Ethereum path. Spec: node-rpc-cli §4.3.
package wallet
