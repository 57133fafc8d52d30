// Package frame defines the messages between runners and proxies of the secret service: the kinds of requests, the statuses of answers, and the encryption of
// both.
//
// Everything that is secret goes under HPKE (RFC 9180; X25519, HKDF-SHA-256, AES-256-GCM) to a key that the chain or a signed request names. The bytes inside
// are package cbss's.
//
// Spec: secrets-cbss §3, §4, §10 (1).
package frame

import (
	"crypto/ecdh"
	"crypto/hpke"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Port is where proxies listen, unless they are told otherwise.
//
// Spec: secrets-cbss §4.
const Port = 9601

// Deadline is how long a runner waits for a proxy before it asks another.
//
// Spec: secrets-cbss §4.
const Deadline = 1500 * time.Millisecond

// Kinds of questions (the streams of a proxy).
//
// Spec: secrets-cbss §4.
const (
	PartialSign  byte = 1 + iota // a signed request; the answer is sealed to the key in it
	Health                       // nothing; nothing
	DkgRound                     // of a key that is made
	ReshareRound                 // of a key that is passed on
	SealSign                     // be8 number of a SealRequest; the answer is sealed to the beneficiary's key
)

// Statuses of answers. Of a refusal the body says why, in words.
const (
	Done byte = iota
	Refused
	Limited // the actor has had as many releases as it may in an hour
	Later   // the proxy cannot say now
)

// Most bytes of questions and answers.
const MaxBody = 128 << 10

// Domains of what is sealed.
//
// Spec: secrets-cbss §3.
const (
	AnswerInfo = "cbss/partial-sign-response/v1" // to a runner; the request's hash follows
	ShareInfo  = "cbss/dkg-share-hpke/v1"        // to a proxy; the session follows
	SealInfo   = "cbss/seal-answer/v1"           // to the beneficiary of a SealRequest; what it is for follows (secret.SealContext)
)

func context(domain string, of digest.Hash) []byte { return append([]byte(domain), of[:]...) }

// Seal seals to a key of X25519, for one purpose. It fails for bytes that are no key.
func Seal(to [32]byte, domain string, of digest.Hash, plain []byte) ([]byte, error) {
	public, err := ecdh.X25519().NewPublicKey(to[:])
	if err != nil {
		return nil, err
	}
	key, err := hpke.NewDHKEMPublicKey(public)
	if err != nil {
		return nil, err
	}
	return hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), context(domain, of), plain)
}

// Open opens what Seal gave.
func Open(key *ecdh.PrivateKey, domain string, of digest.Hash, sealed []byte) ([]byte, error) {
	private, err := hpke.NewDHKEMPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return hpke.Open(private, hpke.HKDFSHA256(), hpke.AES256GCM(), context(domain, of), sealed)
}
