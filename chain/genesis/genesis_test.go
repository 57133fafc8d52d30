package genesis

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Spec: WP §8.1, §8.3.
func TestBucketsAreTheWhitepapers(t *testing.T) {
	var company, community unit.Amount
	var companyBPS, communityBPS uint32
	names := map[account.Address]string{}
	for _, b := range Buckets() {
		if b.Community {
			community += b.Amount
			communityBPS += b.ShareBPS
		} else {
			company += b.Amount
			companyBPS += b.ShareBPS
		}
		if exact := uint64(params.GenesisSupply) / params.BasisPoints * uint64(b.ShareBPS); exact != uint64(b.Amount) {
			t.Errorf("%s: %s CBY is not %d bps", b.Name, b.Amount.CBY(), b.ShareBPS)
		}
		if other, twice := names[b.Address()]; twice {
			t.Errorf("%s and %s share an address", b.Name, other)
		}
		names[b.Address()] = b.Name
	}
	if company+community != params.GenesisSupply || companyBPS != params.CompanyBPS || communityBPS != params.CommunityBPS {
		t.Errorf("company %s, community %s", company.CBY(), community.CBY())
	}
	if names[account.System(account.Treasury)] != "treasury" {
		t.Error("the treasury's share is not with the Treasury")
	}
}

// The terms as numbers: what is free at the token generation event in basis points, months of the cliff, months of the linear release.
//
// Spec: WP §8.3 (both tables, read by hand).
func TestBucketTerms(t *testing.T) {
	want := map[string][3]uint32{
		"team": {0, 12, 48}, "investors": {1_000, 6, 24}, "advisors": {0, 6, 24}, "treasury": {500, 0, 0}, "foundation": {500, 0, 36},
		"validator_rewards": {0, 0, 60}, "runner_incentives": {}, "developer_grants": {}, "liquidity_mining": {0, 0, 12}, "airdrops": {5_000, 6, 0},
	}
	for _, b := range Buckets() {
		if got := [3]uint32{b.UnlockedBPS, b.CliffMonths, b.LinearMonths}; got != want[b.Name] {
			t.Errorf("%s: %v, want %v", b.Name, got, want[b.Name])
		}
		delete(want, b.Name)
	}
	if len(want) != 0 {
		t.Errorf("missing: %v", want)
	}
}

// build commits the state of s.
func build(t testing.TB, s *Spec) *state.Commit {
	t.Helper()
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := s.Build(o); err != nil {
		t.Fatal(err)
	}
	c, err := o.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// contents checks the accounts of a built state and sums their balances.
func contents(t testing.TB, c *state.Commit) (sum unit.Amount, system int) {
	t.Helper()
	err := c.Overlay().Scan(account.KindPrefix(account.KindAccount), nil, 1000, func(key, value []byte) bool {
		a, err := account.Decode(value)
		if err != nil {
			t.Errorf("%x: %v", key, err)
		}
		_, addr, _, ok := account.SplitKey(key)
		if !ok || addr.IsReserved() != (a.Kind == account.SystemActor) {
			t.Errorf("%v has class %d", addr, a.Kind)
		}
		if a.Kind == account.SystemActor {
			system++
		}
		sum += a.Balance
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum, system
}

// Spec: WP §8.3, §9, §13.1; node-rpc-cli §6.
func TestDevnet(t *testing.T) {
	s, err := Devnet(params.ChainIDLocal, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, s)
	o := c.Overlay()
	sum, system := contents(t, c)
	if sum != params.GenesisSupply || system != 19 {
		t.Errorf("%s CBY in all, %d system actors", sum.CBY(), system)
	}
	if p, err := params.Load(o); err != nil || !reflect.DeepEqual(p, s.Params()) {
		t.Errorf("parameters: %v", err)
	}
	if f, err := fee.LoadBasefees(o); err != nil || f.Cycle != params.MinBasefee || f.Cell != params.MinBasefee {
		t.Errorf("basefees %+v, %v", f, err)
	}
	if supply, err := fee.LoadSupply(o); err != nil || supply.Genesis != params.GenesisSupply {
		t.Errorf("supply %+v, %v", supply, err)
	}
	set, err := stake.SetAt(o, 0)
	if err != nil || len(set.Members) != 1 || set.Members[0].Weight != DevnetStake || !bytes.Equal(set.Sharing, s.Sharing) {
		t.Errorf("validators %+v, %v", set, err)
	}
	raw, ok, _ := o.Lookup(DevFaucet().Address().Key())
	if faucet, err := account.Decode(raw); !ok || err != nil || faucet.Balance != params.GenesisSupply-DevnetStake-DevnetPurse {
		t.Errorf("faucet %+v, %v", faucet, err)
	}
	h := s.Header(c.Root())
	if h.Height != 0 || h.ChainID != 1 || h.ParentSeed != nil || h.StateRoot != c.Root() {
		t.Errorf("header %+v", h)
	}
	again := build(t, s)
	if again.Root() != c.Root() || s.Header(again.Root()).Hash() != h.Hash() {
		t.Error("two builds differ")
	}
	other, err := Devnet(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	if other.Header(build(t, other).Root()).Hash() == h.Hash() {
		t.Error("two chains have one genesis")
	}
}

// Four development validators make a certificate with their keys.
// Spec: commonware §3.7, §4.3.
func TestDevValidatorsSign(t *testing.T) {
	s, err := Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	set, sharing, err := DevValidators(4)
	if err != nil {
		t.Fatal(err)
	}
	e := &bls.Epoch{Namespace: sig.NewNamespace(1), Group: sharing.GroupKey()}
	c := &sig.Certificate{Kind: sig.Notarization, Signers: sig.NewSigners(4)}
	c.Subject.Round = sig.Round{View: 1}
	var votes []sig.BLSSignature
	var partials []bls.Partial
	for i, v := range s.Validators {
		k, err := bls.ParsePublicKey(v.PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		e.Validators = append(e.Validators, k)
		if i > 0 {
			c.Signers.Add(i)
			votes = append(votes, set[i].Vote.Sign(c.Preimage(e.Namespace)))
			partials = append(partials, set[i].Share.Sign(e.Namespace.Seed(c.Subject.Round)))
		}
	}
	if c.Aggregate, err = bls.Aggregate(votes); err != nil {
		t.Fatal(err)
	}
	if c.Seed, err = bls.Recover(sharing.Threshold(), partials); err != nil {
		t.Fatal(err)
	}
	if err := e.VerifyCertificate(c); err != nil {
		t.Error(err)
	}
	for _, n := range []int{0, -1, MaxDevValidators + 1} {
		if _, err := Devnet(1, n); !errors.Is(err, ErrSpec) {
			t.Errorf("%d validators: %v", n, err)
		}
	}
}

// Spec: WP §8.1, §8.3.
func TestMainnet(t *testing.T) {
	dev, err := Devnet(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Mainnet(7, 1, dev.Validators, dev.Sharing)
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, s)
	if sum, _ := contents(t, c); sum != params.GenesisSupply {
		t.Errorf("%s CBY in all", sum.CBY())
	}
	if _, ok, _ := c.Lookup(treasury.BucketKey("team")); !ok {
		t.Error("the terms of a bucket are not recorded")
	}
	for _, b := range Buckets() {
		raw, ok, _ := c.Lookup(b.Address().Key())
		a, err := account.Decode(raw)
		if want := b.Amount; !ok || err != nil || a.Balance != want && b.Name != "validator_rewards" {
			t.Errorf("%s: %+v, %v", b.Name, a, err)
		}
	}
}

// Spec: node-rpc-cli §6 (genesis.json).
func TestFile(t *testing.T) {
	dev, err := Devnet(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	mainnet, err := Mainnet(1, 1, dev.Validators, dev.Sharing)
	if err != nil {
		t.Fatal(err)
	}
	mainnet.EpochBlocks = 20
	for _, s := range []*Spec{dev, mainnet} {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(data))
		if err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("%+v, %v", back, err)
		}
	}
	data, _ := json.Marshal(dev)
	for name, bad := range map[string]string{
		"not JSON":      "{",
		"unknown field": strings.Replace(string(data), `"chain_id"`, `"chain":1,"chain_id"`, 1),
		"address":       strings.Replace(string(data), `"address":"0x`, `"address":"0xzz`, 1),
		"key":           strings.Replace(string(data), `"public_key":"`, `"public_key":"00`, 1),
		"longer key":    regexp.MustCompile(`("public_key":"[^"]*)`).ReplaceAllString(string(data), "${1}00"),
		"proof":         strings.Replace(string(data), `"proof_of_possession":"`, `"proof_of_possession":"zz`, 1),
		"sharing":       strings.Replace(string(data), `"sharing":"`, `"sharing":"0`, 1),
		"supply":        strings.Replace(string(data), `"total_supply":1`, `"total_supply":2`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			if bad == string(data) {
				t.Fatalf("%s: nothing replaced", name)
			}
			if _, err := Read(strings.NewReader(bad)); !errors.Is(err, ErrSpec) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The rates of the tokens that cards may pay in go from the file into the state.
//
// Spec: gateway-payments-streams §G.3 (a rate fixed in the genesis).
func TestCardTokens(t *testing.T) {
	s, err := Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.CardTokens = []bank.Peg{{Token: bank.TokenID{1}, Units: 3, Per: 7}, {Token: bank.TokenID{2}, Units: 1, Per: 1}}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if list, err := bank.Pegs(build(t, back)); err != nil || !reflect.DeepEqual(list, s.CardTokens) {
		t.Errorf("%+v %v", list, err)
	}
}

// Spec: WP §8.1, §9; governance-staking A1.
func TestValidateRefusals(t *testing.T) {
	for name, edit := range map[string]func(*Spec){
		"chain id":               func(s *Spec) { s.ChainID = 0 },
		"another chain's proofs": func(s *Spec) { s.ChainID = 2 },
		"no validators":          func(s *Spec) { s.Validators = nil },
		"key for one":            func(s *Spec) { s.Validators = s.Validators[:1] },
		"order":                  func(s *Spec) { s.Validators[0], s.Validators[1] = s.Validators[1], s.Validators[0] },
		"stake":                  func(s *Spec) { s.Validators[0].Stake = 1 },
		"proof":                  func(s *Spec) { s.Validators[0].Possession = s.Validators[1].Possession },
		"supply":                 func(s *Spec) { s.TotalSupply++ },
		"reserved account":       func(s *Spec) { s.Accounts[0].Address = account.System(9) },
		"zero account":           func(s *Spec) { s.Accounts[0].Address = account.Address{} },
		"account twice":          func(s *Spec) { s.Accounts = append(s.Accounts, s.Accounts[0]) },
		"faucet":                 func(s *Spec) { s.Faucet = &account.Address{1} },
		"sharing":                func(s *Spec) { s.Sharing = nil },
		"key for more":           func(s *Spec) { s.Sharing = dealt(t, 2, 3) },
		"lower threshold":        func(s *Spec) { s.Sharing = dealt(t, 1, 2) },
		"shared account":         func(s *Spec) { s.Validators[1].Address = s.Validators[0].Address },
		"reserved validator":     func(s *Spec) { s.Validators[0].Address = account.System(9) },
		"epochs":                 func(s *Spec) { s.EpochBlocks = 7 },
		"a rate of nothing":      func(s *Spec) { s.CardTokens = []bank.Peg{{Token: bank.TokenID{1}, Units: 1}} },
		"a rate twice":           func(s *Spec) { s.CardTokens = []bank.Peg{{Units: 1, Per: 1}, {Units: 1, Per: 1}} },
		"administrators":         func(s *Spec) { s.Administrators = append(s.Administrators, s.Administrators[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Devnet(1, 2)
			if err != nil {
				t.Fatal(err)
			}
			edit(s)
			o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
			if err := s.Build(o); !errors.Is(err, ErrSpec) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// dealt is a sharing of some key among n with a threshold.
func dealt(t *testing.T, threshold, n int) []byte {
	t.Helper()
	var coefficients [][]byte
	for i := range threshold {
		coefficients = append(coefficients, bytes.Repeat([]byte{byte(i + 1)}, 32))
	}
	sharing, _, err := bls.Deal(coefficients, uint32(n))
	if err != nil {
		t.Fatal(err)
	}
	return sharing.Append(nil)
}

func FuzzRead(f *testing.F) {
	s, err := Devnet(1, 1)
	if err != nil {
		f.Fatal(err)
	}
	data, _ := json.Marshal(s)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := Read(bytes.NewReader(data)); err == nil && s.Validate() != nil {
			t.Error("Read accepts what Validate refuses")
		}
	})
}
