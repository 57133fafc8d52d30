package tee

import (
	"crypto/ecdsa"
	"crypto/elliptic"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// fields takes the entries of a map one by one; what is missing, of another type or left over is a failure, which it remembers.
type fields struct {
	m    cbor.Map
	used int
	bad  bool
}

func open(v any, ok bool) *fields {
	m, is := v.(cbor.Map)
	return &fields{m: m, bad: !ok || !is}
}

// take gives the entry under a name, or notes that a needed one is missing.
func (f *fields) take(name string, needed bool) (any, bool) {
	v, ok := f.m.Lookup(name)
	if ok {
		f.used++
	} else if needed {
		f.bad = true
	}
	return v, ok
}

func (f *fields) part(name string) *fields { return open(f.take(name, true)) }

// bytes takes a byte string of at most so many bytes.
func (f *fields) bytes(name string, most int) []byte {
	v, _ := f.take(name, true)
	b, ok := v.([]byte)
	f.bad = f.bad || !ok || len(b) > most
	return b
}

// into takes a byte string of exactly the length of dst.
func (f *fields) into(name string, dst []byte) {
	b := f.bytes(name, len(dst))
	f.bad = f.bad || len(b) != len(dst)
	copy(dst, b)
}

// name takes a text of a list and gives its place there.
func (f *fields) name(name string, list []string) int {
	v, _ := f.take(name, true)
	text, ok := v.(string)
	for i := range list {
		if ok && text != "" && list[i] == text {
			return i
		}
	}
	f.bad = true
	return 0
}

func (f *fields) number(name string) uint64 {
	v, _ := f.take(name, true)
	n, ok := v.(int64)
	f.bad = f.bad || !ok || n < 0
	return uint64(n)
}

// over reports whether a map had all that was taken and nothing else.
func (f *fields) over() bool { return !f.bad && f.used == len(f.m) }

// ParseCAE reads what Encode wrote, and nothing else. Reject: ErrForm.
//
// Spec: tee §2.2.
func ParseCAE(data []byte) (*CAE, error) {
	if len(data) > MaxCAE {
		return nil, ErrForm
	}
	v, err := cbor.Parse(data)
	if err != nil {
		return nil, ErrForm
	}
	f, c := open(v, true), new(CAE)
	f.bad = f.bad || f.number("version") != version
	ok := c.CPU.read(f.part("cpu"))
	if v, there := f.take("gpu", false); there {
		c.GPU = new(GPU)
		ok = c.GPU.read(open(v, true)) && ok
	}
	s := f.part("service_sig")
	c.Service.Scheme = Scheme(s.name("scheme", schemes()))
	s.into("pubkey", c.Service.Key[:])
	c.Service.Signature = s.bytes("sig", MaxSignature)
	n := f.part("freshness")
	n.into("nonce", c.Freshness.Nonce[:])
	c.Freshness.Deadline, c.Freshness.Generated = unit.Height(n.number("deadline")), unit.Height(n.number("generated_at"))
	if _, there := f.m.Lookup("extra"); there {
		c.Extra = f.bytes("extra", MaxCAE)
	}
	if !ok || !s.over() || !n.over() || !f.over() {
		return nil, ErrForm
	}
	return c, nil
}

func (c *CPU) read(f *fields) bool {
	c.Type = Type(f.name("tee_type", kinds()))
	c.Quote, c.Chain = f.bytes("quote", MaxCAE), f.bytes("cert_chain_cid", maxCID)
	f.into("measurement", c.Measurement[:])
	if _, there := f.m.Lookup("pcr_extension"); there {
		c.PCR = new(digest.Hash)
		f.into("pcr_extension", c.PCR[:])
	}
	return f.over()
}

func (g *GPU) read(f *fields) bool {
	f.name("gpu_type", []string{nvidia})
	g.Token = f.bytes("nras_token", MaxCAE)
	f.into("gpu_measurement", g.Measurement[:])
	f.into("bound_cpu_pubkey", g.Bound[:])
	return f.over()
}

// evenPoint is the point of P-256 with an x coordinate and an even y.
func evenPoint(x [keyBytes]byte) (*ecdsa.PublicKey, error) {
	px, py := elliptic.UnmarshalCompressed(elliptic.P256(), append([]byte{2}, x[:]...))
	if px == nil {
		return nil, ErrKeyForm
	}
	point := [1 + 2*keyBytes]byte{4}
	px.FillBytes(point[1 : 1+keyBytes])
	py.FillBytes(point[1+keyBytes:])
	return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point[:])
}
