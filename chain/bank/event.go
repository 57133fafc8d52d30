package bank

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the bank's events, with what their data has.
//
// Spec: gateway-payments-streams §G.4 (events).
const (
	TopicIssued       = "CardIssued"            // card(20) ‖ UInt bank ‖ owner(20) ‖ agent(20)
	TopicRenewed      = "CardRenewed"           // card(20) ‖ Option<UInt> expires
	TopicClosed       = "CardClosed"            // card(20) ‖ refund_to(20)
	TopicDeposited    = "CardDeposited"         // card(20) ‖ from(20) ‖ Option token(32) ‖ amount(16)
	TopicWithdrawn    = "CardWithdrawn"         // card(20) ‖ to(20) ‖ Option token(32) ‖ amount(16)
	TopicPolicy       = "CardPolicySet"         // card(20) ‖ the policy
	TopicTransferred  = "CardOwnerTransferred"  // card(20) ‖ owner(20) ‖ Bool locked
	TopicDefault      = "CardDefaultSet"        // agent(20) ‖ Option card(20)
	TopicFrozen       = "CardFrozen"            // card(20) ‖ Bytes reason
	TopicUnfrozen     = "CardUnfrozen"          // card(20)
	TopicRegistered   = "BankRegistered"        // UInt bank ‖ Bytes name ‖ operator(20)
	TopicPaused       = "BankPaused"            // UInt bank
	TopicUnpaused     = "BankUnpaused"          // UInt bank
	TopicOperator     = "BankOperatorSet"       // UInt bank ‖ operator(20)
	TopicSigner       = "BankFiatMintSignerSet" // UInt bank ‖ Option signer(20)
	TopicMinted       = "FiatMinted"            // card(20) ‖ voucher_id(32) ‖ Option token(32) ‖ amount(16) ‖ Bytes reference
	TopicProviderPaid = "ProviderSettled"       // UInt bank ‖ provider(20) ‖ Option token(32) ‖ amount(16)
	TopicGas          = "GasCharged"            // card(20) ‖ amount(16) in units of its token ‖ UInt coins
)

func appendToken(dst []byte, id *token.ID) []byte {
	dst = codec.AppendBool(dst, id != nil)
	if id != nil {
		dst = codec.AppendFixed(dst, id[:])
	}
	return dst
}

func moved(card, who account.Address, id *token.ID, amount unit.Uint128) []byte {
	return amount.AppendBig(appendToken(append(card[:len(card):len(card)], who[:]...), id))
}

// EventGas is the data of TopicGas: what a card has paid for one execution.
func EventGas(card account.Address, price unit.Uint128, coins unit.Amount) []byte {
	return codec.AppendUint(price.AppendBig(card[:len(card):len(card)]), uint64(coins))
}
