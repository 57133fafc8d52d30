package pyhash

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding"
	"hash"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	legacy "golang.org/x/crypto/sha3"
)

// An algorithm is one hash function and its price.
type algorithm struct {
	name   string
	size   int // of the digest; 0 if the caller chooses
	block  int
	base   int // cycles for an object
	per    int // cycles for every unit of data
	unit   int // bytes
	create func() state
	title  *object.Str // the name as a Python string
}

// state is a hash in progress.
type state interface {
	write(p []byte)
	// sum returns the digest of what was written so far, n bytes of it if the
	// algorithm lets the caller choose.
	sum(n int) []byte
	clone() state
}

// Prices of SHA-256 and of Keccak, the published ones.
//
// Spec: sdk §17.4.
const (
	baseCost   = 500
	sha256Cost = 8
	blockUnit  = 64
	keccakCost = 6
	keccakUnit = 32
)

// Prices of the others, by the time that their units take.
const (
	sha1Cost     = 16
	md5Cost      = 40
	sha512Cost   = 37
	blake2bCost  = 48
	blake2sCost  = 72
	sha3Cost     = 44 // with a digest of 256 bits or less
	sha3LongCost = 86
)

func merkleDamgard(name string, size, block, per int, create func() hash.Hash) *algorithm {
	return &algorithm{name, size, block, baseCost, per, blockUnit, func() state { return &standard{create()} }, nil}
}

func sponge(name string, size, block, base, per int, create func() state) *algorithm {
	return &algorithm{name, size, block, base, per, keccakUnit, create, nil}
}

// algorithms in the order of their names.
var algorithms = titled([]*algorithm{
	{"blake2b", 64, 128, baseCost, blake2bCost, blockUnit, func() state { return newBlake2b(64) }, nil},
	{"blake2s", 32, 64, baseCost, blake2sCost, blockUnit, func() state { return newBlake2s(32) }, nil},
	sponge("keccak256", 32, 136, 0, keccakCost, func() state { return &marshalled{legacy.NewLegacyKeccak256(), legacy.NewLegacyKeccak256} }),
	merkleDamgard("md5", 16, 64, md5Cost, md5.New),
	merkleDamgard("sha1", 20, 64, sha1Cost, sha1.New),
	merkleDamgard("sha224", 28, 64, sha256Cost, sha256.New224),
	merkleDamgard("sha256", 32, 64, sha256Cost, sha256.New),
	merkleDamgard("sha384", 48, 128, sha512Cost, sha512.New384),
	sponge("sha3_224", 28, 144, baseCost, sha3Cost, func() state { return &standard{sha3.New224()} }),
	sponge("sha3_256", 32, 136, baseCost, sha3Cost, func() state { return &standard{sha3.New256()} }),
	sponge("sha3_384", 48, 104, baseCost, sha3LongCost, func() state { return &standard{sha3.New384()} }),
	sponge("sha3_512", 64, 72, baseCost, sha3LongCost, func() state { return &standard{sha3.New512()} }),
	merkleDamgard("sha512", 64, 128, sha512Cost, sha512.New),
	sponge("shake_128", 0, 168, baseCost, sha3Cost, func() state { return &extendable{sha3.NewSHAKE128(), sha3.NewSHAKE128} }),
	sponge("shake_256", 0, 136, baseCost, sha3Cost, func() state { return &extendable{sha3.NewSHAKE256(), sha3.NewSHAKE256} }),
})

func titled(all []*algorithm) []*algorithm {
	for _, al := range all {
		al.title = object.StaticName(al.name)
	}
	return all
}

func algorithmNamed(name string) *algorithm {
	for _, a := range algorithms {
		if a.name == name {
			return a
		}
	}
	return nil
}

// standard is a hash of the standard library.
type standard struct{ h hash.Hash }

func (s *standard) write(p []byte)   { s.h.Write(p) }
func (s *standard) sum(n int) []byte { return s.h.Sum(nil) }
func (s *standard) clone() state {
	c, err := s.h.(hash.Cloner).Clone()
	if err != nil {
		panic("pyhash: " + err.Error())
	}
	return &standard{c}
}

// marshalled is a hash that is copied through its serialised form.
type marshalled struct {
	h      hash.Hash
	create func() hash.Hash
}

func (s *marshalled) write(p []byte)   { s.h.Write(p) }
func (s *marshalled) sum(n int) []byte { return s.h.Sum(nil) }
func (s *marshalled) clone() state {
	data, err := s.h.(encoding.BinaryMarshaler).MarshalBinary()
	c := s.create()
	if err == nil {
		err = c.(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
	}
	if err != nil {
		panic("pyhash: " + err.Error())
	}
	return &marshalled{c, s.create}
}

// extendable is a function whose digest has any length.
type extendable struct {
	h      *sha3.SHAKE
	create func() *sha3.SHAKE
}

func (s *extendable) write(p []byte) { s.h.Write(p) }

func (s *extendable) copy() *extendable {
	data, err := s.h.MarshalBinary()
	c := s.create()
	if err == nil {
		err = c.UnmarshalBinary(data)
	}
	if err != nil {
		panic("pyhash: " + err.Error())
	}
	return &extendable{c, s.create}
}

func (s *extendable) clone() state { return s.copy() }

func (s *extendable) sum(n int) []byte {
	out := make([]byte, n)
	s.copy().h.Read(out)
	return out
}
