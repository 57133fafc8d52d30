// Package secret is the chapter of the Secrets Manager at 0x04: owners keep secrets, proxies register and show what they released, committees bring their
// keys. The rules are package chain/secret's.
//
// Spec: secrets-cbss; WP §9 (0x04).
package secret
