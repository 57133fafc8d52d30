// Package limits holds docs/limits.md to the source: the page has every limit of names, gateways, receipts, sessions, streams, payments, cards and hooks with
// the value of the constant it stands for, and is written anew by REWRITE=1 go test ./testkit/limits.
//
// Spec: gateway-payments-streams §A, §B, §C, §D, §E, §F, §G, §H.
package limits
