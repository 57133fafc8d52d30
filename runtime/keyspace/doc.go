// Package keyspace lists every range of state keys there is, and the chapter that keeps its entries in it. Each chapter states its claims beside the
// functions that make its keys; this package puts them together, and its tests prove that no two share a key and that a chain writes no key outside of
// them. testdata/claims.golden is the list as a person reads it: namespace, kind, address and suffix of the keys (... where more follows), and what lies
// there.
//
// # Invariants
//
//   - No key is in two claims.
//   - What a Python actor can write is in one claim, under addresses above the reserved band; native state lies in other namespaces, except for the
//     governed parameters, which WP §13.1 puts into the storage of 0x09.
//
// Deliberately absent: how the entries are encoded, which is each chapter's.
//
// Spec: commonware §5.10; WP "Storage and State Persistence", §13.1.
package keyspace
