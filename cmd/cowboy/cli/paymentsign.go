package cli

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/payment/present"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// errNoWay says that a server takes no payment of the scheme.
var errNoWay = errors.New("the server does not take this scheme")

func (a *app) paymentSign() *cobra.Command {
	var value, scheme, key, most, asset string
	var units uint64
	cmd := &cobra.Command{
		Use: "sign", Short: "Sign what a 402 asks for, and print the header PAYMENT-SIGNATURE", Args: cobra.NoArgs,
		Long: "Sign what a 402 asks for in its header PAYMENT-REQUIRED. Schemes: exact, as any x402 client signs it; cowboy:exact; cowboy:pass and\n" +
			"cowboy:epoch for what was bought before. Nothing above --max is signed. What is priced in a token is signed with --asset, the token's\n" +
			"identifier, and --units, the most of its smallest units.",
		RunE: func(_ *cobra.Command, _ []string) error {
			coins, err := parseCBY(most)
			if err != nil {
				return err
			}
			limit, want := unit.Wide(uint64(coins)), payment.Asset{}
			if asset != payment.AssetName {
				if want, err = parseHash(asset); err != nil {
					return err
				}
				limit = unit.Wide(units)
			}
			loaded, err := a.key(key)
			if err != nil {
				return err
			}
			private, err := sig.ParsePrivateKey(loaded[:])
			if err != nil {
				return err
			}
			raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(value))
			var asked present.PaymentRequired
			if err != nil || json.Unmarshal(raw, &asked) != nil {
				return usageError{errors.New("this is no value of PAYMENT-REQUIRED")}
			}
			for _, way := range asked.Accepts {
				if way.Scheme != scheme {
					continue
				}
				amount, err := unit.ParseUint128(way.Amount)
				if name := payment.AssetText(want); way.Asset != name && scheme != present.SchemeExact || !want.IsZero() && scheme == present.SchemeExact {
					return usageError{fmt.Errorf("%s is asked for, and --asset is %s", way.Asset, name)}
				}
				if err != nil || amount.Cmp(limit) > 0 {
					return usageError{fmt.Errorf("%s base units are asked for, above --max", way.Amount)}
				}
				payload, err := signWay(private, way, amount, want)
				if err != nil {
					return usageError{err}
				}
				data, err := json.Marshal(present.PaymentSignature{
					X402Version: present.Version402, Resource: &asked.Resource, Accepted: way, Payload: payload,
				})
				if err != nil {
					return err
				}
				text := base64.StdEncoding.EncodeToString(data)
				return a.show(map[string]string{"header": text}, "%s\n", text)
			}
			return usageError{errNoWay}
		},
	}
	f := cmd.Flags()
	f.StringVar(&value, "required", "", "the value of the header PAYMENT-REQUIRED")
	f.StringVar(&scheme, "scheme", present.SchemeCowboyExact, "how to pay")
	f.StringVar(&key, "key", "", "file of the payer's key")
	f.StringVar(&most, "max", "1", "CBY that may be asked for at most")
	f.StringVar(&asset, "asset", payment.AssetName, "what is paid with: CBY, or a token's identifier")
	f.Uint64Var(&units, "units", 0, "smallest units of the token that may be asked for at most")
	require(cmd, "required")
	return cmd
}

// signWay signs one way to pay.
//
// Spec: gateway-payments-streams §F (x402: cowboy:exact, exact, cowboy:pass, cowboy:epoch).
func signWay(key *sig.PrivateKey, way present.Requirements, amount unit.Uint128, asset payment.Asset) (json.RawMessage, error) {
	if way.Scheme == present.SchemeExact {
		return signExact(key, way, amount)
	}
	var extra struct {
		Actor       string `json:"actor"`
		RequestHash string `json:"requestHash"`
		ValidBefore uint64 `json:"validBefore"`
		ChainID     uint64 `json:"chainId"`
	}
	if json.Unmarshal(way.Extra, &extra) != nil {
		return nil, errNoWay
	}
	actor, err := account.ParseAddress(extra.Actor)
	if err != nil {
		return nil, err
	}
	hash, err := parseHash(extra.RequestHash)
	if err != nil {
		return nil, err
	}
	var nonce [8]byte
	_, _ = rand.Read(nonce[:]) // never fails
	i := payment.Intent{
		Payer: key.Address(), Actor: actor, Amount: amount, Nonce: binary.BigEndian.Uint64(nonce[:]), ValidBefore: unit.Height(extra.ValidBefore),
		RequestHash: hash, Asset: asset,
	}
	switch way.Scheme {
	case present.SchemePass:
		i.Kind, i.PassID = payment.PayPass, payment.PassOf(actor, key.Address())
	case present.SchemeEpoch:
		i.Kind = payment.PayEpoch
	}
	i.Signature = key.Sign(i.Digest(extra.ChainID))
	return json.Marshal(map[string]string{"intent": "0x" + hex.EncodeToString(i.Append(nil))})
}

// signExact signs as x402's scheme "exact" has it on networks of Ethereum's kind.
//
// Source: x402, specs/schemes/exact/scheme_exact_evm.md.
func signExact(key *sig.PrivateKey, way present.Requirements, amount unit.Uint128) (json.RawMessage, error) {
	id, found := strings.CutPrefix(way.Network, "eip155:")
	chain, err := strconv.ParseUint(id, 10, 64)
	if !found || err != nil || way.Asset != payment.Home().String() {
		return nil, errNoWay
	}
	to, err := account.ParseAddress(way.PayTo)
	if err != nil {
		return nil, err
	}
	now := time.Now().Unix()
	w := payment.Authorization{
		From: key.Address(), To: to, Value: amount, ValidAfter: uint64(now - 600), ValidBefore: uint64(now + int64(way.MaxTimeoutSeconds)),
	}
	_, _ = rand.Read(w.Nonce[:]) // never fails
	w.Signature = key.Sign(w.Digest(chain))
	w.Signature[len(w.Signature)-1] += 27
	return json.Marshal(map[string]any{"signature": "0x" + hex.EncodeToString(w.Signature[:]), "authorization": map[string]string{
		"from": w.From.String(), "to": to.String(), "value": amount.String(), "validAfter": strconv.FormatUint(w.ValidAfter, 10),
		"validBefore": strconv.FormatUint(w.ValidBefore, 10), "nonce": w.Nonce.String(),
	}})
}
