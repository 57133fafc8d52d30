package genesis

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Build writes the state at height 0 into an empty store, after validating s. The
// caller commits the store at height 0 and gives its root to Header.
//
// Written are: an account record for every allocation, bucket and system actor of
// WP §9 that has one; the validators' stakes as balance of Governance; the buckets'
// terms; the governed parameters; the basefees; the supply record; the validator
// registry with the first set and its shared key; the Security Council, if there is one;
// the rates of the tokens that cards may pay in.
// Spec: WP §8.3, §9, §13.1.
func (s *Spec) Build(to state.Store) error {
	if err := s.Validate(); err != nil {
		return err
	}
	records, err := s.records()
	if err != nil {
		return err
	}
	for _, r := range records {
		to.Set(r.addr.Key(), r.acct.Encode())
	}
	for _, b := range s.Buckets {
		to.Set(treasury.BucketKey(b.Name), b.Append(nil))
	}
	founders := make([]stake.Founder, len(s.Validators))
	for i, v := range s.Validators {
		founders[i] = stake.Founder{Address: v.Address, Key: v.PublicKey, Stake: v.Stake}
	}
	stake.Found(to, founders, s.Sharing)
	govern.Found(to, s.Council)
	for _, p := range s.CardTokens {
		p.Save(to)
	}
	s.Params().Save(to)
	fee.SaveBasefees(to, params.GenesisBasefees())
	fee.Supply{Genesis: s.TotalSupply, YearBase: s.TotalSupply}.Save(to)
	return nil
}

type record struct {
	addr account.Address
	acct account.Account
}

// records are the account records of height 0, one per address, in address order.
func (s *Spec) records() ([]record, error) {
	var list []record
	credit := func(addr account.Address, class account.Class, amount unit.Amount) error {
		at := slices.IndexFunc(list, func(r record) bool { return r.addr == addr })
		if at < 0 {
			at = len(list)
			list = append(list, record{addr: addr})
		}
		a := &list[at].acct
		if class != account.External {
			a.Kind = class
		}
		return a.Credit(amount)
	}
	for _, e := range account.SystemTable() {
		if e.Record {
			list = append(list, record{account.System(e.Number), account.Account{Kind: account.SystemActor}})
		}
	}
	for _, v := range s.Validators {
		if err := credit(account.System(account.Governance), account.SystemActor, v.Stake); err != nil {
			return nil, err
		}
	}
	for _, b := range s.Buckets {
		if err := credit(b.Address(), account.External, b.Amount); err != nil {
			return nil, err
		}
	}
	for _, a := range s.Accounts {
		list = append(list, record{a.Address, account.Account{Balance: a.Balance}})
	}
	slices.SortFunc(list, func(a, b record) int { return a.addr.Compare(b.addr) })
	return list, nil
}

// Header is the genesis header over the root of the state Build wrote. Nobody
// proposed it: round, proposer, seed and proof are zero; its hash is the beacon of
// the first round of epoch 0.
// Spec: WP §3.4; commonware §3.6.
func (s *Spec) Header(stateRoot digest.Hash) *block.Header {
	fees := params.GenesisBasefees()
	return &block.Header{
		Version:      params.ProtocolVersion,
		ChainID:      s.ChainID,
		TimestampMs:  s.TimestampMs,
		TxRoot:       digest.MerkleRoot(nil),
		ReceiptRoot:  digest.MerkleRoot(nil),
		StateRoot:    stateRoot,
		CycleBasefee: fees.Cycle,
		CellBasefee:  fees.Cell,
	}
}
