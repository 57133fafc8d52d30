package system

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Entry is a reserved address, the chapter that answers there, and whether messages and calls to it are built.
type Entry struct {
	Address account.Address
	Name    string
	Chapter string
	Built   bool
}

// Table lists the reserved addresses in ascending order. The caller owns the slice.
//
// Spec: WP §9.
func Table() []Entry {
	list := account.SystemTable()
	table := make([]Entry, len(list))
	for i, e := range list {
		table[i] = Entry{Address: account.System(e.Number), Name: e.Name, Chapter: chapterAt(e.Number)}
	}
	return table
}

func chapterAt(n byte) string {
	switch n {
	case account.RunnerRegistry, account.JobDispatcher, account.ResultVerifier:
		return "job"
	case account.SecretsManager:
		return "secret"
	case account.TEEVerifier:
		return "tee"
	case account.FeesAndTokens:
		return "token"
	case account.Entitlements:
		return "entitle"
	case account.Treasury:
		return "treasury"
	case account.Governance:
		return "govern"
	case account.StorageManager:
		return "volume"
	case account.RelayRegistry:
		return "relay"
	case account.Session:
		return "session"
	case account.StreamKeys:
		return "stream"
	case account.RouteRegistry:
		return "route"
	case account.GatewayRegistry, account.ReceiptRegistry:
		return "gateway"
	case account.ContainerRegistry:
		return "container"
	case account.PaymentGate:
		return "payment"
	case account.Bank:
		return "bank"
	case account.EventSubscription:
		return "event"
	}
	return "reserved"
}

// Owner is the system actor an instruction of category System belongs to: where the state it changes lives.
//
// Spec: WP §9, §13.1 (parameters under 0x09); scheduler-timers §8.
func Owner(op tx.Opcode) account.Address {
	entry, _ := tx.Lookup(op)
	switch entry.Chapter {
	case "job":
		return account.System(account.JobDispatcher)
	case "secret":
		return account.System(account.SecretsManager)
	case "tee":
		return account.System(account.TEEVerifier)
	case "token":
		return account.System(account.FeesAndTokens)
	case "entitle":
		return account.System(account.Entitlements)
	case "relay":
		return account.System(account.RelayRegistry)
	case "session":
		return account.System(account.Session)
	case "route":
		return account.System(account.RouteRegistry)
	case "gateway":
		return account.System(account.GatewayRegistry)
	case "container":
		return account.System(account.ContainerRegistry)
	case "bank":
		return account.System(account.Bank)
	}
	return account.System(account.Governance)
}
