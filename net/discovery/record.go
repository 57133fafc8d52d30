package discovery

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/cowboyinc/cowboy-go/net/layout"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// domainRecord separates a record's signature from every other use of a peer key.
const domainRecord = "_COWBOY_NET_RECORD"

// ErrRecord: a record that does not decode, or that its key did not sign for this network.
var ErrRecord = errors.New("discovery: bad record")

// Network is what a record belongs to: a digest of the network's name and genesis.
type Network [32]byte

// NetworkOf makes the digest.
func NetworkOf(name string, genesis [32]byte) Network {
	return sha256.Sum256(append(layout.AppendBytes(nil, []byte(name)), genesis[:]...))
}

// Record says where a node can be dialed, in its own word.
type Record struct {
	Key       transport.PublicKey
	Seq       uint64 // a higher one replaces a lower
	Address   netip.AddrPort
	Signature [transport.SignatureBytes]byte
}

// ID is the node's identity.
func (r *Record) ID() transport.ID { return r.Key.ID() }

// Sign makes a record of the key's own node.
func Sign(key transport.Key, network Network, seq uint64, at netip.AddrPort) Record {
	r := Record{Key: key.Public(), Seq: seq, Address: netip.AddrPortFrom(at.Addr().Unmap(), at.Port())}
	copy(r.Signature[:], key.Sign(domainRecord, r.signed(network)))
	return r
}

func (r *Record) signed(network Network) []byte {
	return r.appendFields(append(make([]byte, 0, 128), network[:]...))
}

func (r *Record) appendFields(b []byte) []byte {
	b = append(b, r.Key[:]...)
	b = binary.BigEndian.AppendUint64(b, r.Seq)
	return appendAddress(b, r.Address)
}

// appendAddress writes family u8 (4 or 6) ‖ ip 4 or 16 ‖ port u16.
func appendAddress(b []byte, at netip.AddrPort) []byte {
	ip := at.Addr().AsSlice()
	if len(ip) == 4 {
		b = append(b, 4)
	} else {
		b = append(b, 6)
	}
	b = append(b, ip...)
	return binary.BigEndian.AppendUint16(b, at.Port())
}

// append writes the record.
func (r *Record) append(b []byte) []byte { return append(r.appendFields(b), r.Signature[:]...) }

// readRecord takes a record and checks its form, not its signature.
func readRecord(r *layout.Reader) (rec Record) {
	copy(rec.Key[:], r.Fixed(transport.KeyBytes))
	rec.Seq = r.U64()
	rec.Address = readAddress(r)
	copy(rec.Signature[:], r.Fixed(transport.SignatureBytes))
	return rec
}

// readAddress takes an address at which somebody could be dialed.
func readAddress(r *layout.Reader) netip.AddrPort {
	var ip netip.Addr
	switch r.U8() {
	case 4:
		ip, _ = netip.AddrFromSlice(r.Fixed(4))
	case 6:
		ip, _ = netip.AddrFromSlice(r.Fixed(16))
		if ip.Is4In6() {
			r.Fail(fmt.Errorf("%w: an IPv4 address written as IPv6", ErrRecord))
		}
	default:
		r.Fail(fmt.Errorf("%w: unknown family of addresses", ErrRecord))
	}
	at := netip.AddrPortFrom(ip, r.U16())
	if r.Err() == nil && (at.Port() == 0 || ip.IsUnspecified() || ip.IsMulticast()) {
		r.Fail(fmt.Errorf("%w: nobody can be dialed at %v", ErrRecord, at))
	}
	return at
}

// verify checks the signature.
func (r *Record) verify(network Network) error {
	if !r.Key.Verify(domainRecord, r.signed(network), r.Signature[:]) {
		return fmt.Errorf("%w: not signed by its key for this network", ErrRecord)
	}
	return nil
}

// verifiedMax bounds each half of the memory of verified records.
const verifiedMax = 1024

// verified remembers records whose signatures were checked, because the same ones come again and again. When the newer half is
// full it becomes the older one.
type verified struct{ newer, older map[Record]struct{} }

// check verifies a record that is not remembered.
func (v *verified) check(r Record, network Network) error {
	if _, ok := v.newer[r]; ok {
		return nil
	}
	if _, ok := v.older[r]; !ok {
		if err := r.verify(network); err != nil {
			return err
		}
	}
	if v.newer == nil || len(v.newer) >= verifiedMax {
		v.newer, v.older = map[Record]struct{}{}, v.newer
	}
	v.newer[r] = struct{}{}
	return nil
}
