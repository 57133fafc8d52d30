package block

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// childOf is a valid header of the next height, one view later.
func childOf(parent *Header) *Header {
	h := &Header{
		Version: params.ProtocolVersion, ChainID: parent.ChainID, Height: parent.Height + 1, Epoch: params.Calendar{}.Epoch(parent.Height + 1),
		View: parent.View + 1, ParentView: parent.View, ParentHash: parent.Hash(), TimestampMs: parent.TimestampMs + 1000,
		CycleBasefee: 10_000, CellBasefee: 10_000, VRFProof: sig.BLSSignature{1},
	}
	if h.Epoch != parent.Epoch {
		h.View = 1
	}
	if round, ok := SeedRound(h.Round(), parent); ok {
		h.ParentSeed = &sig.Seed{Round: round}
	}
	h.VRFOutput = VRFOutput(h.VRFProof)
	return h
}

// votesOf are the votes of the first few of n.
func votesOf(n, voted int) *sig.Votes {
	v := &sig.Votes{Signers: sig.NewSigners(n)}
	for i := range voted {
		v.Signers.Add(i)
	}
	return v
}

// Spec: WP §3.4, §4.2, §6.1, "Slashing"; commonware §3.6; governance-staking A3.
func TestCheckHeader(t *testing.T) {
	genesis := &Header{Version: params.ProtocolVersion, ChainID: 1, TimestampMs: 5}
	first := childOf(genesis)
	second := childOf(first)
	lastOfEpoch := &Header{Version: params.ProtocolVersion, ChainID: 1, Height: 3599, View: 4000, TimestampMs: 9}
	for name, h := range map[string]*Header{"genesis": first, "another epoch's block": childOf(lastOfEpoch)} {
		t.Run(name, func(t *testing.T) {
			parent := map[bool]*Header{true: genesis, false: lastOfEpoch}[h == first]
			h := *h
			h.ParentVotes = votesOf(4, 4)
			if err := CheckHeader(&h, parent, parent.Hash(), 1, params.Calendar{}, params.GenesisBasefees()); !errors.Is(err, ErrVotes) {
				t.Errorf("votes for %s: %v", name, err)
			}
		})
	}
	for name, pair := range map[string][2]*Header{
		"first block": {first, genesis}, "second block": {second, first}, "first of an epoch": {childOf(lastOfEpoch), lastOfEpoch},
	} {
		t.Run(name, func(t *testing.T) {
			if err := CheckHeader(pair[0], pair[1], pair[1].Hash(), 1, params.Calendar{}, params.GenesisBasefees()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if first.ParentSeed != nil {
		t.Error("the first round of epoch 0 has a seed")
	}
	if s := childOf(lastOfEpoch).ParentSeed; s == nil || s.Round != lastOfEpoch.Round() {
		t.Error("the first round of epoch 1 does not carry the last round's seed")
	}
	skipped := *second
	skipped.View, skipped.ParentSeed = 9, &sig.Seed{Round: sig.Round{View: 8}} // rounds 2–8 were nullified
	if err := CheckHeader(&skipped, first, first.Hash(), 1, params.Calendar{}, params.GenesisBasefees()); err != nil {
		t.Errorf("after nullified rounds: %v", err)
	}
	for name, c := range map[string]struct {
		edit func(*Header)
		want error
	}{
		"version":          {func(h *Header) { h.Version++ }, ErrVersion},
		"chain":            {func(h *Header) { h.ChainID++ }, ErrChain},
		"height":           {func(h *Header) { h.Height++ }, ErrParent},
		"parent hash":      {func(h *Header) { h.ParentHash[0] ^= 1 }, ErrParent},
		"parent view":      {func(h *Header) { h.ParentView++ }, ErrParent},
		"epoch":            {func(h *Header) { h.Epoch++ }, ErrRound},
		"same view":        {func(h *Header) { h.View = first.View }, ErrRound},
		"view zero":        {func(h *Header) { h.View = 0 }, ErrRound},
		"same time":        {func(h *Header) { h.TimestampMs = first.TimestampMs }, ErrTimestamp},
		"cycle basefee":    {func(h *Header) { h.CycleBasefee++ }, ErrBasefee},
		"cell basefee":     {func(h *Header) { h.CellBasefee-- }, ErrBasefee},
		"no seed":          {func(h *Header) { h.ParentSeed = nil }, ErrSeed},
		"its own round's":  {func(h *Header) { h.ParentSeed = &sig.Seed{Round: h.Round()} }, ErrSeed},
		"an older round's": {func(h *Header) { h.ParentSeed = &sig.Seed{Round: sig.Round{View: 0}} }, ErrSeed},
		"VRF output":       {func(h *Header) { h.VRFOutput[0] ^= 1 }, ErrVRF},
		"proof of another": {func(h *Header) { h.VRFProof[0] ^= 1 }, ErrVRF},
		"votes":            {func(h *Header) { h.ParentVotes = votesOf(4, 3) }, nil},
		"votes of all":     {func(h *Header) { h.ParentVotes = votesOf(1, 1) }, nil},
		"too few votes":    {func(h *Header) { h.ParentVotes = votesOf(4, 2) }, ErrVotes},
		"votes of nobody":  {func(h *Header) { h.ParentVotes = votesOf(0, 0) }, ErrVotes},
	} {
		t.Run(name, func(t *testing.T) {
			h := *second
			c.edit(&h)
			if err := CheckHeader(&h, first, first.Hash(), 1, params.Calendar{}, params.GenesisBasefees()); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		})
	}
	seeded := *first
	seeded.ParentSeed = &sig.Seed{}
	if err := CheckHeader(&seeded, genesis, genesis.Hash(), 1, params.Calendar{}, params.GenesisBasefees()); !errors.Is(err, ErrSeed) {
		t.Errorf("a seed in the first round: %v", err)
	}
}

// TestLateVotes: late votes are about the blocks 2 to 32 below their header, in its epoch and above the genesis, in order, of somebody, in 3,072 bytes.
// Spec: WP "Slashing" (downtime); governance-staking A3.
func TestLateVotes(t *testing.T) {
	late := func(height uint64, kind sig.CertificateKind) sig.LateVotes {
		return sig.LateVotes{Height: height, Kind: kind, Votes: *votesOf(4, 1)}
	}
	wide := func(count int) (list []sig.LateVotes) { // each of 2 + 1 + 8 + 256 + 96 = 363 bytes
		for i := range count {
			list = append(list, sig.LateVotes{Height: uint64(300 - 32 + i), Votes: *votesOf(2_048, 1)})
		}
		return list
	}
	const n, f, c = sig.Notarization, sig.Nullification, sig.Finalization
	for name, x := range map[string]struct {
		height unit.Height
		votes  []sig.LateVotes
		want   error
	}{
		"none":                  {300, nil, nil},
		"oldest":                {300, []sig.LateVotes{late(268, n)}, nil},
		"too old":               {300, []sig.LateVotes{late(267, n)}, ErrVotes},
		"newest":                {300, []sig.LateVotes{late(298, n)}, nil},
		"the parent":            {300, []sig.LateVotes{late(299, n)}, ErrVotes},
		"itself":                {300, []sig.LateVotes{late(300, n)}, ErrVotes},
		"above":                 {300, []sig.LateVotes{late(301, n)}, ErrVotes},
		"the highest number":    {10, []sig.LateVotes{late(1<<64-1, n)}, ErrVotes},
		"the first block":       {3, []sig.LateVotes{late(1, n)}, nil},
		"the genesis":           {3, []sig.LateVotes{late(0, n)}, ErrVotes},
		"this epoch's first":    {3_605, []sig.LateVotes{late(3_600, n)}, nil},
		"the last epoch's last": {3_605, []sig.LateVotes{late(3_599, n)}, ErrVotes},
		"of each kind":          {300, []sig.LateVotes{late(290, n), late(290, f), late(290, c), late(291, n)}, nil},
		"kinds out of order":    {300, []sig.LateVotes{late(290, f), late(290, n)}, ErrVotes},
		"heights out of order":  {300, []sig.LateVotes{late(291, n), late(290, f)}, ErrVotes},
		"one twice":             {300, []sig.LateVotes{late(290, n), late(290, n)}, ErrVotes},
		"of nobody":             {300, []sig.LateVotes{{Height: 290, Votes: *votesOf(4, 0)}}, ErrVotes},
		"of too many":           {300, []sig.LateVotes{{Height: 290, Votes: *votesOf(2_049, 1)}}, ErrVotes},
		"2,904 bytes":           {300, wide(8), nil},
		"3,267 bytes":           {300, wide(9), ErrVotes},
	} {
		t.Run(name, func(t *testing.T) {
			var calendar params.Calendar
			parent := &Header{Version: params.ProtocolVersion, ChainID: 1, Height: x.height - 1, Epoch: calendar.Epoch(x.height - 1), View: 1, TimestampMs: 5}
			h := childOf(parent)
			h.LateVotes = x.votes
			if err := CheckHeader(h, parent, parent.Hash(), 1, calendar, params.GenesisBasefees()); !errors.Is(err, x.want) {
				t.Errorf("%s: %v, want %v", name, err, x.want)
			}
		})
	}
}

// Spec: WP "Validator Set", §13 (3,600 blocks).
func TestCheckHeaderEpochs(t *testing.T) {
	parent := &Header{Version: params.ProtocolVersion, ChainID: 1, Height: 19, View: 30, TimestampMs: 9}
	short, err := params.NewCalendar(20)
	if err != nil {
		t.Fatal(err)
	}
	h := childOf(parent)
	if err := CheckHeader(h, parent, parent.Hash(), 1, params.Calendar{}, params.GenesisBasefees()); err != nil {
		t.Errorf("block 20 of the usual epoch: %v", err)
	}
	if err := CheckHeader(h, parent, parent.Hash(), 1, short, params.GenesisBasefees()); !errors.Is(err, ErrRound) {
		t.Errorf("block 20 in epoch 0 of 20 blocks: %v", err)
	}
	h.Epoch, h.View, h.ParentSeed = 1, 1, &sig.Seed{Round: parent.Round()}
	if err := CheckHeader(h, parent, parent.Hash(), 1, short, params.GenesisBasefees()); err != nil {
		t.Errorf("the first block of an epoch of 20: %v", err)
	}
}

// Spec: WP §2.5, §6.3, §6.5.
func TestCheckBody(t *testing.T) {
	vrf := digest.Hash{7}
	var list []tx.Verified
	for k := range byte(5) {
		list = append(list, offer{key: k + 1}.sign(t))
	}
	list = Order(list, vrf)
	head := func(txs []tx.Verified) *Header {
		var h []digest.Hash
		for _, v := range txs {
			h = append(h, v.Hash())
		}
		return &Header{VRFOutput: vrf, TxRoot: TxRoot(h), TxCount: uint32(len(txs))}
	}
	if err := CheckBody(head(list), list, 0); err != nil {
		t.Error(err)
	}
	if err := CheckBody(head(nil), nil, 0); err != nil {
		t.Errorf("empty body: %v", err)
	}
	swapped := slices.Clone(list)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	if err := CheckBody(head(swapped), swapped, 0); !errors.Is(err, ErrOrder) {
		t.Errorf("swapped: %v", err)
	}
	if err := CheckBody(head(list), list[1:], 0); !errors.Is(err, ErrTxRoot) {
		t.Errorf("missing: %v", err)
	}
	twice := append(slices.Clone(list), list[0])
	if err := CheckBody(head(twice), twice, 0); !errors.Is(err, ErrDuplicate) {
		t.Errorf("twice: %v", err)
	}
	count := head(list)
	count.TxCount++
	if err := CheckBody(count, list, 0); !errors.Is(err, ErrTxRoot) {
		t.Errorf("count: %v", err)
	}
	heavy := Order([]tx.Verified{anchor(1, 8_888_888).sign(t), anchor(2, 8_888_888).sign(t)}, vrf)
	if err := CheckBody(head(heavy), heavy, 0); !errors.Is(err, ErrLane) {
		t.Errorf("over budget: %v", err)
	}
}
