package payment

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func readWide(r *codec.Reader) unit.Uint128 {
	var raw [unit.Uint128Size]byte
	r.Into(raw[:])
	return unit.Uint128FromBig(raw)
}

// Append appends the canonical encoding, wide numbers as 16 bytes, big-endian:
//
//	actor(20) ‖ bool enabled ‖ mode(1) ‖ prices: list of (Bytes pattern ‖ list of Bytes method ‖ mode(1) ‖ amount(16) ‖ asset(32)) ‖
//	Option (UInt rate ‖ cap(16) ‖ flags(1): 1 unavailable, 2 refilled ‖ where it is, refill(16)) ‖
//	Option (fee(16) ‖ UInt blocks, min, max) ‖ Option (UInt min, max ‖ credit(16) ‖ UInt expiry) ‖
//	list of asset(32) ‖ treasury(20)
func (p *Policy) Append(dst []byte) []byte {
	dst = codec.AppendU8(codec.AppendBool(codec.AppendFixed(dst, p.Actor[:]), p.Enabled), uint8(p.Mode))
	dst = codec.AppendLen(dst, len(p.Prices))
	for i := range p.Prices {
		x := &p.Prices[i]
		dst = codec.AppendLen(codec.AppendBytes(dst, []byte(x.Pattern)), len(x.Methods))
		for _, m := range x.Methods {
			dst = codec.AppendBytes(dst, []byte(m))
		}
		dst = codec.AppendFixed(x.Amount.AppendBig(codec.AppendU8(dst, uint8(x.Mode))), x.Asset[:])
	}
	dst = codec.AppendBool(dst, p.Budget != nil)
	if b := p.Budget; b != nil {
		dst = codec.AppendU8(b.DailyCap.AppendBig(codec.AppendUint(dst, uint64(b.RatePerSecond))), b.flags())
		if !b.Refill.IsZero() {
			dst = b.Refill.AppendBig(dst)
		}
	}
	dst = codec.AppendBool(dst, p.Epoch != nil)
	if e := p.Epoch; e != nil {
		dst = codec.AppendUint(e.Fee.AppendBig(dst), e.Blocks)
		dst = codec.AppendUint(codec.AppendUint(dst, uint64(e.Min)), uint64(e.Max))
	}
	dst = codec.AppendBool(dst, p.Pass != nil)
	if c := p.Pass; c != nil {
		dst = codec.AppendUint(c.Credit.AppendBig(codec.AppendUint(codec.AppendUint(dst, c.Min), c.Max)), c.Expiry)
	}
	dst = codec.AppendLen(dst, len(p.Assets))
	for _, a := range p.Assets {
		dst = codec.AppendFixed(dst, a[:])
	}
	return codec.AppendFixed(dst, p.Treasury[:])
}

// flags are the two bits of a budget's encoding.
func (b *Budget) flags() (flags uint8) {
	if b.Unavailable {
		flags |= 1
	}
	if !b.Refill.IsZero() {
		flags |= 2
	}
	return flags
}

// DecodePolicy reads what Append wrote.
func DecodePolicy(data []byte) (*Policy, error) {
	r := codec.NewReader(data)
	p := new(Policy)
	r.Into(p.Actor[:])
	p.Enabled, p.Mode = r.Bool(), Mode(r.Tag(uint8(modes)))
	for range r.Len(0, MaxPrices, 1) {
		x := Price{Pattern: string(r.Bytes(MaxPatternBytes))}
		for range r.Len(0, MaxMethods, 1) {
			x.Methods = append(x.Methods, string(r.Bytes(maxMethodBytes)))
		}
		x.Mode, x.Amount = Mode(r.Tag(uint8(modes))), readWide(r)
		r.Into(x.Asset[:])
		p.Prices = append(p.Prices, x)
	}
	if r.Option() {
		p.Budget = &Budget{RatePerSecond: r.Uint32(), DailyCap: readWide(r)}
		flags := r.Tag(4)
		p.Budget.Unavailable = flags&1 != 0
		if flags&2 != 0 {
			if p.Budget.Refill = readWide(r); p.Budget.Refill.IsZero() {
				r.Fail(codec.ErrInvalid, uint64(flags)) // it is written without one
			}
		}
	}
	if r.Option() {
		p.Epoch = &Epoch{readWide(r), r.Uint(), r.Uint32(), r.Uint32()}
	}
	if r.Option() {
		p.Pass = &Pass{Min: r.Uint(), Max: r.Uint(), Credit: readWide(r), Expiry: r.Uint()}
	}
	for range r.Len(0, MaxAssets, 1) {
		var a Asset
		r.Into(a[:])
		p.Assets = append(p.Assets, a)
	}
	r.Into(p.Treasury[:])
	return p, r.Finish()
}
