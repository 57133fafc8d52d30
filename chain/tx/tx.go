package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Tx is a transaction. The seventeenth field of the encoding, access_list, is
// reserved and always absent, so it has no field here.
// Spec: WP §2.1, §2.5.
type Tx struct {
	ChainID     uint64
	Nonce       uint64
	Instruction Instruction

	CyclesLimit            unit.Cycles
	CellsLimit             unit.Cells
	MaxFeePerCycle         uint64 // base units
	MaxFeePerCell          uint64 // base units
	MaxPriorityFeePerCycle uint64 // base units
	MaxPriorityFeePerCell  uint64 // base units

	From     account.Address
	Metadata []byte // caller-attached, bound into the signing hash

	// The origin fields are present only on transactions the protocol itself
	// injects. Spec: WP §2.1; scheduler-timers §10.
	OriginTxHash          *digest.Hash
	OriginRemainingCycles *uint64
	OriginRemainingCells  *uint64

	Signature         sig.Signature
	AdditionalSigners []Signer // strictly ascending by address
}

// Signer is an account that signs a transaction besides its sender.
type Signer struct {
	Address   account.Address
	Signature sig.Signature
}

const signerSize = account.AddressSize + sig.SignatureSize

// Append appends the canonical encoding: the 17 fields in their frozen order.
// Spec: WP §2.5; commonware §0.
func (t *Tx) Append(dst []byte) []byte { return t.append(dst, true) }

// AppendUnsigned appends the signing pre-image: the canonical encoding with every
// signature zeroed and the signers' addresses kept. Spec: WP §2.5.
func (t *Tx) AppendUnsigned(dst []byte) []byte { return t.append(dst, false) }

func (t *Tx) append(dst []byte, signed bool) []byte {
	dst = codec.AppendUint(dst, t.ChainID)
	dst = codec.AppendUint(dst, t.Nonce)
	dst = appendInstruction(dst, t.Instruction)
	dst = codec.AppendUint(dst, uint64(t.CyclesLimit))
	dst = codec.AppendUint(dst, uint64(t.CellsLimit))
	dst = codec.AppendUint(dst, t.MaxFeePerCycle)
	dst = codec.AppendUint(dst, t.MaxFeePerCell)
	dst = codec.AppendUint(dst, t.MaxPriorityFeePerCycle)
	dst = codec.AppendUint(dst, t.MaxPriorityFeePerCell)
	dst = codec.AppendFixed(dst, t.From[:])
	dst = codec.AppendBool(dst, false) // access_list
	dst = codec.AppendBytes(dst, t.Metadata)
	dst = codec.AppendBool(dst, t.OriginTxHash != nil)
	if t.OriginTxHash != nil {
		dst = codec.AppendFixed(dst, t.OriginTxHash[:])
	}
	dst = codec.AppendOptionUint(dst, t.OriginRemainingCycles)
	dst = codec.AppendOptionUint(dst, t.OriginRemainingCells)
	dst = appendSignature(dst, t.Signature, signed)
	dst = codec.AppendLen(dst, len(t.AdditionalSigners))
	for i := range t.AdditionalSigners {
		dst = codec.AppendFixed(dst, t.AdditionalSigners[i].Address[:])
		dst = appendSignature(dst, t.AdditionalSigners[i].Signature, signed)
	}
	return dst
}

func appendSignature(dst []byte, s sig.Signature, signed bool) []byte {
	if !signed {
		s = sig.Signature{}
	}
	return codec.AppendFixed(dst, s[:])
}

// Encode is the canonical encoding on its own.
func (t *Tx) Encode() []byte { return t.Append(make([]byte, 0, 256)) }

// SigningHash is what every signer signs and, being independent of signatures,
// the identity of the transaction and its leaf in the transaction root.
// Spec: WP §2.5.
func (t *Tx) SigningHash() digest.Hash {
	return digest.Keccak256(t.AppendUnsigned(make([]byte, 0, 256)))
}

// Decode reads one transaction and nothing else. It gives ErrTooLarge,
// ErrMalformed (with the codec error), ErrUnknownInstruction or *Unsupported. Byte
// fields of the result alias data. Signatures are not looked at: an unsigned
// transaction decodes.
// Spec: WP §2.2 (f), §2.5, §12.1.
func Decode(data []byte) (*Tx, error) {
	if len(data) > params.MaxTxBytes {
		return nil, ErrTooLarge
	}
	r := codec.NewReader(data)
	t, err := Read(r)
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		return nil, malformed(err)
	}
	return t, nil
}

// Read reads one transaction from r, leaving what follows it. Errors are those of
// Decode.
func Read(r *codec.Reader) (*Tx, error) {
	start := r.Offset()
	t := new(Tx)
	t.ChainID = r.Uint()
	t.Nonce = r.Uint()
	if r.Err() != nil {
		return nil, malformed(r.Err())
	}
	in, err := readInstruction(r)
	if err != nil {
		return nil, malformed(err)
	}
	t.Instruction = in
	t.readFees(r)
	r.Into(t.From[:])
	if r.Option() { // access_list: its content has no definition to decode
		r.Fail(codec.ErrInvalid, 0)
	}
	t.Metadata = r.Bytes(params.MaxTxBytes)
	t.readOrigin(r)
	r.Into(t.Signature[:])
	t.readSigners(r)
	if r.Err() != nil {
		return nil, malformed(r.Err())
	}
	if r.Offset()-start > params.MaxTxBytes {
		return nil, ErrTooLarge
	}
	return t, nil
}

func (t *Tx) readFees(r *codec.Reader) {
	t.CyclesLimit = unit.Cycles(r.Uint())
	t.CellsLimit = unit.Cells(r.Uint())
	t.MaxFeePerCycle = r.Uint()
	t.MaxFeePerCell = r.Uint()
	t.MaxPriorityFeePerCycle = r.Uint()
	t.MaxPriorityFeePerCell = r.Uint()
}

func (t *Tx) readOrigin(r *codec.Reader) {
	if r.Option() {
		t.OriginTxHash = new(digest.Hash)
		r.Into(t.OriginTxHash[:])
	}
	t.OriginRemainingCycles = r.OptionUint()
	t.OriginRemainingCells = r.OptionUint()
}

// readSigners refuses an order other than strictly ascending: the encoding has
// one form per set of signers. Spec: WP §2.2 (e).
func (t *Tx) readSigners(r *codec.Reader) {
	n := r.Len(0, params.MaxTxBytes/signerSize, signerSize)
	if n == 0 {
		return
	}
	t.AdditionalSigners = make([]Signer, n)
	for i := range t.AdditionalSigners {
		r.Into(t.AdditionalSigners[i].Address[:])
		r.Into(t.AdditionalSigners[i].Signature[:])
	}
	if r.Err() == nil && !t.signersAscend() {
		r.Fail(ErrSigners, 0)
	}
}

func (t *Tx) signersAscend() bool {
	for i := 1; i < len(t.AdditionalSigners); i++ {
		if t.AdditionalSigners[i-1].Address.Compare(t.AdditionalSigners[i].Address) >= 0 {
			return false
		}
	}
	return true
}

// IsDeferred reports whether any origin field is present.
func (t *Tx) IsDeferred() bool {
	return t.OriginTxHash != nil || t.OriginRemainingCycles != nil || t.OriginRemainingCells != nil
}

// Intrinsic is what the transaction pays before execution begins: its
// instruction's cost, one cell per byte of metadata, for each additional
// signer one signature verification and the bytes it adds, and for naming who
// pays the search for the grant.
// Spec: WP §17.2, §17.4 (calldata), §3.5; CIP-2 §7.4.
func (t *Tx) Intrinsic() Cost { return t.intrinsic(table) }

func (t *Tx) intrinsic(rows *Table) Cost {
	c := costOf(rows, t.Instruction)
	n := len(t.AdditionalSigners)
	c.Cycles += unit.Cycles(n) * params.IntrinsicSignerCycles
	if _, named := t.Payer(); named {
		c.Cycles += params.IntrinsicPayerCycles
	}
	c.Cells += unit.Cells(n)*params.IntrinsicSignerCells + unit.Cells(len(t.Metadata))*params.CellsPerByteCalldata
	return c
}

// MaxCost is both limits at their maximum fees plus the value moved, or
// unit.ErrOverflow: what the sender must own, who owns the value alone where
// another pays the fees. Unused limits are refunded at the same rates.
// Spec: WP §2.3.
func (t *Tx) MaxCost() (unit.Amount, error) {
	fee, err := t.MaxFee()
	if err != nil {
		return 0, err
	}
	return fee.Add(ValueOf(t.Instruction))
}

// MaxFee is both limits at their maximum fees, or unit.ErrOverflow. Spec: WP §2.3.
func (t *Tx) MaxFee() (unit.Amount, error) {
	cycles, err := t.CyclesLimit.Price(t.MaxFeePerCycle)
	if err != nil {
		return 0, err
	}
	cells, err := t.CellsLimit.Price(t.MaxFeePerCell)
	if err != nil {
		return 0, err
	}
	return cycles.Add(cells)
}
