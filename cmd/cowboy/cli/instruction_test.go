package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// TestEveryInstructionHasACommand finds each by its name and by its name with dashes, and a flag for each field.
func TestEveryInstructionHasACommand(t *testing.T) {
	root := (&app{}).root()
	for _, row := range tx.Rows() {
		for _, name := range []string{row.Name, dashed(row.Name)} {
			cmd, rest, err := root.Find([]string{"tx", name})
			if err != nil || len(rest) > 0 || cmd.Name() != row.Name || cmd.Hidden == row.Built() {
				t.Errorf("%s: %v, %v", name, cmd.CommandPath(), err)
				continue
			}
			for _, f := range row.Fields() {
				if cmd.Flags().Lookup(strings.ReplaceAll(f.Name, "_", "-")) == nil {
					t.Errorf("%s has no flag for %s", row.Name, f.Name)
				}
			}
		}
	}
}

// TestInstructionUsage gives what no node has to be asked about.
func TestInstructionUsage(t *testing.T) {
	for i, c := range []struct{ args, want string }{
		{"tx --help", "session: "},
		{"tx --help", "ValidatorExit "},
		{"tx VerifyCae --cae 5", `VerifyCae: --cae: value "5" is not hex`},
		{"tx KeyDelivery", `KeyDelivery is not available yet: that part of chapter "secret" is not built`},
		{"tx key-delivery", `KeyDelivery is not available yet: that part of chapter "secret" is not built`},
		{"tx set-secret", "SetSecret: key_hash is missing: wants 64 hex digits"},
		{"tx Deposit --card 5", "Deposit: card: wants an address"},
		{"tx TokenMint --token-id " + strings.Repeat("00", 32) + " --to 0x00000000000000000000000000000000000000AB --amount -1",
			"TokenMint: amount: wants a whole number of a token's smallest units"},
		{"token mint --token-id 5 --to 0x00000000000000000000000000000000000000AB --amount 1", `"5" is not a token`},
		{"token burn --token-id " + strings.Repeat("00", 32) + " --amount 1.5", `--amount "1.5" is not a whole number`},
		{"token burn --token-id " + strings.Repeat("00", 32) + " --amount 340282366920938463463374607431768211456", "is not a whole number"},
		{"token transfer --token-id " + strings.Repeat("00", 32) + " --to 12 --amount 1", `"12" is not an address`},
		{"token create --name n --symbol s --initial-supply x", `--initial-supply "x" is not a whole number`},
		{"token create --name n --initial-supply 1", "symbol"},
		{"tx Transfers", "did you mean `cowboy transaction Transfer`?"},
		{"tx Transfer --amount 1", "Transfer: to is missing: wants an address"},
		{"tx Transfer --to 12 --amount 1", "Transfer: to: wants an address"},
		{"tx Transfer --to 0x00000000000000000000000000000000000000AB --amount 1.0000000001", "Transfer: --amount: "},
		{"tx Execute --payload xy", `Execute: --payload: value "xy" is not hex`},
		{"tx Execute --payload 00 --payload-text 0", "[payload payload-text]"},
		{"tx CancelTimer --timer-id 12", "CancelTimer: timer_id: wants 64 hex digits"},
		{"tx UpdateTimerConfig --config {", `UpdateTimerConfig: --config: "{" is not one JSON value`},
		{"tx UpdateTimerConfig --config {}", "UpdateTimerConfig: config.max_ttl_blocks is missing: wants a whole number"},
		{"tx UpdateTimerConfig --config 5", "UpdateTimerConfig: config: wants a JSON object"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var out, errOut bytes.Buffer
			status := Main(strings.Fields(c.args), strings.NewReader(""), &out, &errOut)
			help := strings.HasSuffix(c.args, "--help")
			if help != (status == 0) || !strings.Contains(out.String()+errOut.String(), c.want) {
				t.Errorf("%s: status %d, %s%s", c.args, status, out.String(), errOut.String())
			}
		})
	}
}
