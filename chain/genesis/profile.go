package genesis

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// DevnetStake is the stake of each validator of a development network.
const DevnetStake = 100_000 * unit.CBY

// DevnetPurse is what the account of each validator of a development network begins with, for the fees of its own transactions: dealer logs and evidence.
const DevnetPurse = 1_000 * unit.CBY

// DevnetTimestampMs is the time of the development genesis, 2026-06-11 00:00 UTC,
// the date of the whitepaper: a fixed one, so that every default node has the same
// genesis hash.
const DevnetTimestampMs = 1_781_136_000_000

// DevKey is a private key of a development network by name and number: the
// keccak256 of a text, so everybody has it. Its top bits are cleared to make it a
// scalar of both curves.
func DevKey(name string, number byte) [32]byte {
	h := digest.Keccak256([]byte("cowboy-devnet-key:"), []byte(name), []byte{':', number})
	h[0] &= 0x1f
	h[31] |= 1
	return h
}

// DevFaucet is the key of the development faucet account.
func DevFaucet() *sig.PrivateKey { return devAccount("faucet", 0) }

// DevRunner is the key of a runner of a development network.
func DevRunner(number byte) *sig.PrivateKey { return devAccount("runner", number) }

// DevRelay is the key of a relay of a development network.
func DevRelay(number byte) *sig.PrivateKey { return devAccount("relay", number) }

// DevGateway is the key of the gateway of a development network.
func DevGateway() *sig.PrivateKey { return devAccount("gateway", 0) }

func devAccount(name string, number byte) *sig.PrivateKey {
	raw := DevKey(name, number)
	k, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		panic("genesis: " + err.Error()) // a cleared hash is a scalar
	}
	return k
}

// DevValidator is everything one validator of a development network signs with.
type DevValidator struct {
	Account *sig.PrivateKey // its address receives tips and rewards
	Vote    *bls.PrivateKey // individual votes and header proofs
	Share   bls.Share       // of the round seed
}

// DevValidators are the validators of a development network of n, by rank. The
// shared key is dealt from known coefficients.
// Spec: commonware §4.3 (trusted dealer for devnets).
func DevValidators(n int) ([]DevValidator, *bls.Sharing, error) {
	var coefficients [][]byte
	for i := range sig.Quorum(n) {
		c := DevKey("seed", byte(i))
		coefficients = append(coefficients, c[:])
	}
	sharing, shares, err := bls.Deal(coefficients, uint32(n))
	if err != nil {
		return nil, nil, err
	}
	set := make([]DevValidator, n)
	for i := range set {
		raw := DevKey("vote", byte(i))
		vote, err := bls.ParsePrivateKey(raw[:])
		if err != nil {
			return nil, nil, err
		}
		set[i] = DevValidator{Account: devAccount("validator", byte(i)), Vote: vote}
	}
	slices.SortFunc(set, func(a, b DevValidator) int {
		ka, kb := a.Vote.PublicKey().Bytes(), b.Vote.PublicKey().Bytes()
		return slices.Compare(ka[:], kb[:])
	})
	for i := range set {
		set[i].Share = shares[i]
	}
	return set, sharing, nil
}

// DevCouncil are the keys of a development network's Security Council, ascending by address.
func DevCouncil() []*sig.PrivateKey {
	list := make([]*sig.PrivateKey, params.CouncilSeats)
	for i := range list {
		list[i] = devAccount("council", byte(i))
	}
	slices.SortFunc(list, func(a, b *sig.PrivateKey) int { return a.Address().Compare(b.Address()) })
	return list
}

// devHour is how many blocks a development network counts as an hour of governance: a parameter changes after 264 blocks instead of 11 days.
const devHour = 1

// MaxDevValidators bounds the size of a development network: keys are numbered by
// one byte.
const MaxDevValidators = 200

// Devnet is a local network with n validators (1 … MaxDevValidators): the whole
// supply in the faucet account but for the stakes, the faucet as
// administrator, and hours of governance of one block.
// Spec: node-rpc-cli §2.5, §6; governance-staking B10.
func Devnet(chainID uint64, n int) (*Spec, error) {
	if n < 1 || n > MaxDevValidators {
		return nil, ErrSpec
	}
	validators, sharing, err := DevValidators(n)
	if err != nil {
		return nil, err
	}
	faucet := DevFaucet().Address()
	s := &Spec{
		ChainID:        chainID,
		TimestampMs:    DevnetTimestampMs,
		TotalSupply:    params.GenesisSupply,
		Faucet:         &faucet,
		Sharing:        sharing.Append(nil),
		Administrators: []account.Address{faucet},
		GovernanceHour: devHour,
	}
	for _, k := range DevCouncil() {
		s.Council = append(s.Council, k.Address())
	}
	rest := params.GenesisSupply
	for _, v := range validators {
		s.Validators = append(s.Validators, Validator{
			Address:    v.Account.Address(),
			PublicKey:  v.Vote.PublicKey().Bytes(),
			Possession: v.Vote.ProvePossession(sig.NewNamespace(chainID)),
			Stake:      DevnetStake,
		})
		s.Accounts = append(s.Accounts, Allocation{Address: v.Account.Address(), Balance: DevnetPurse, Label: "validator"})
		if rest, err = rest.Sub(DevnetStake + DevnetPurse); err != nil {
			return nil, err
		}
	}
	s.Accounts = slices.Insert(s.Accounts, 0, Allocation{Address: faucet, Balance: rest, Label: "faucet"})
	return s, nil
}

// Mainnet allocates the supply to the buckets of WP §8.3. The validators' stakes
// come out of the validator bucket, whose recorded amount is what remains there.
// Spec: WP §8.1, §8.3.
func Mainnet(chainID, timestampMs uint64, validators []Validator, sharing []byte) (*Spec, error) {
	s := &Spec{
		ChainID: chainID, TimestampMs: timestampMs, TotalSupply: params.GenesisSupply,
		Buckets: Buckets(), Validators: validators, Sharing: sharing,
	}
	for i := range s.Buckets {
		if s.Buckets[i].Name != "validator_rewards" {
			continue
		}
		for _, v := range validators {
			left, err := s.Buckets[i].Amount.Sub(v.Stake)
			if err != nil {
				return nil, err
			}
			s.Buckets[i].Amount = left
		}
	}
	return s, s.Validate()
}
