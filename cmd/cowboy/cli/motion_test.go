package cli

import (
	"encoding/hex"
	"testing"

	"github.com/spf13/cobra"
)

// Awards and revocations of grants as a proposal carries them, byte by byte from the text: the kind, then Bytes bucket, address, UInt amount and whether it can
// be taken back; or UInt grant.
//
// Spec: WP §8.3; governance-staking B9.
func TestMotionsAboutGrants(t *testing.T) {
	for name, x := range map[string]struct {
		args []string
		want string
	}{
		"award": {
			[]string{"--award", "0x1111111111111111111111111111111111111111", "--bucket", "team", "--amount", "1"},
			"06" + "04" + "7465616d" + "1111111111111111111111111111111111111111" + "8094ebdc03" + "00", // 10^9 is 3·2^28 + 0x5c·2^21 + 0x6b·2^14 + 0x14·2^7
		},
		"revocable award": {
			[]string{"--award", "0x1111111111111111111111111111111111111111", "--bucket", "team", "--amount", "1", "--revocable"},
			"06" + "04" + "7465616d" + "1111111111111111111111111111111111111111" + "8094ebdc03" + "01",
		},
		"revocation": {[]string{"--revoke-grant", "300"}, "07" + "ac02"},
	} {
		t.Run(name, func(t *testing.T) {
			var m motion
			cmd := &cobra.Command{Use: "propose", RunE: func(*cobra.Command, []string) error { return nil }}
			m.register(cmd)
			cmd.SetArgs(x.args)
			if err := cmd.Execute(); err != nil {
				t.Fatal(err)
			}
			payload, tier, err := m.read()
			if err != nil || tier != 2 || hex.EncodeToString(payload) != x.want {
				t.Errorf("%x, tier %d, %v", payload, tier, err)
			}
		})
	}
	for name, args := range map[string][]string{
		"no bucket": {"--award", "0x1111111111111111111111111111111111111111", "--amount", "1"},
		"two kinds": {"--revoke-grant", "1", "--pay", "0x1111111111111111111111111111111111111111", "--amount", "1"},
		"nothing":   {},
		"no number": {"--revoke-grant", "x"},
		"no amount": {"--award", "0x1111111111111111111111111111111111111111", "--bucket", "team"},
	} {
		t.Run(name, func(t *testing.T) {
			var m motion
			cmd := &cobra.Command{Use: "propose", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error {
				_, _, err := m.read()
				return err
			}}
			m.register(cmd)
			cmd.MarkFlagsOneRequired(kinds...)
			cmd.SetArgs(args)
			if cmd.Execute() == nil {
				t.Error("taken")
			}
		})
	}
}
