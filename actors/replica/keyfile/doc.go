// Package keyfile keeps a secret in a file under a password, in the JSON form of EIP-2335 (version 4): a key derived by scrypt or PBKDF2-HMAC-SHA256,
// AES-128 in counter mode, and a SHA-256 checksum over half of the derived key and the ciphertext, which tells a wrong password before anything is
// decrypted.
//
// The files of the validator clients that use the format can be read, and they can read these. A vote key and a share of the round seed are secrets of 32
// bytes and take a file each.
//
// Passwords are normalized as the format says: NFKD, control codes removed. A file is bounded and strict: an unknown function, a parameter that is
// too weak to be meant or would take more than half a gigabyte, and fields of the wrong length are errors; work is only spent on parameters within
// the bounds.
//
// Spec: EIP-2335; WP "Validator Set" (keys); commonware §4.1.
package keyfile
