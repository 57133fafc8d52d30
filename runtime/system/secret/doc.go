// Package secret is the chapter of the Secrets Manager at 0x04: owners keep secrets, proxies register and show what they released, committees bring their
// keys. The rules are package chain/secret's.
//
//	submit_seal_receipt(number, committee_epoch, sigma, share, challenge, response)      by Execute, of a proxy's operator: SealRequests of paid streams
//
// Spec: secrets-cbss; WP §9 (0x04).
package secret
