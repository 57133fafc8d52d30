// Package wire is the JSON of the node's HTTP interface: the shapes that the server writes and clients read.
//
// Addresses are 0x and 40 lower-case hex digits, hashes 0x and 64. Amounts are base units as JSON numbers (1 CBY = 10⁹).
// Bytes are hex without a prefix unless a field says otherwise. Fields that existing clients read keep their published
// names and types. Spec: node-rpc-cli §1, §2.
package wire
