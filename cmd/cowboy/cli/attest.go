package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
)

// runnerAttest signs what a runner provides.
//
// Spec: ENT §3.4, §4, §5.1; entitlement-extras §4.
func (a *app) runnerAttest() *cobra.Command {
	var file, evidence string
	var blocks uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "attest", Short: "Sign what you provide to actors whose manifests require something of runners", Args: cobra.NoArgs,
		Long: "Sign what you provide: a file of entitlements in the form of an actor's manifest, ascending by id, such as\n" +
			`[{"id":"http.fetch","params":{"allowlist_domains":["*"]}},{"id":"oracle.llm"}].` + "\n" +
			"Jobs of an actor whose manifest has http.fetch, oracle.llm, accel.gpu, sec.tee_required or sec.data_residency go to runners alone that\n" +
			"provide all of these it has.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			m, err := entitle.Parse(text)
			if err != nil {
				return usageError{err}
			}
			raw, err := a.key(flags.key)
			if err != nil {
				return err
			}
			key, err := sig.ParsePrivateKey(raw[:])
			if err != nil {
				return err
			}
			now, err := (api.Storage{Node: a.node()}).Height(cmd.Context())
			if err != nil {
				return err
			}
			at := entitle.Attestation{Runner: key.Address(), Capabilities: *m, ValidFrom: unit.Height(now), ValidUntil: unit.Height(now + blocks)}
			if evidence != "" {
				hash, err := parseHash(evidence)
				if err != nil {
					return err
				}
				at.Evidence = &hash
			}
			data := at.Sign(key).Encode()
			if _, err := entitle.ParseAttestation(data); err != nil {
				return usageError{err}
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{To: runner.Home(), Handler: []byte(job.HandlerAttest), Payload: data})
		},
	}
	f := cmd.Flags()
	f.StringVar(&file, "capabilities", "", "file of entitlements, in the form of an actor's manifest")
	f.StringVar(&evidence, "evidence-hash", "", "hash of the evidence, which sec.tee_required and sec.data_residency take")
	f.Uint64Var(&blocks, "blocks", 604_800, "for how many blocks it counts from now on")
	require(cmd, "capabilities")
	flags.register(cmd, runnerCycles, runnerCells)
	return cmd
}

// attestationText says in a line what a runner provides.
func attestationText(a *wire.Attestation) string {
	var names []string
	for _, c := range a.Capabilities {
		names = append(names, c.ID)
	}
	when := fmt.Sprintf("from block %d until %d", a.ValidFrom, a.ValidUntil)
	if !a.Valid {
		when += ", not now"
	}
	return fmt.Sprintf("Provides: %s, %s", strings.Join(names, " "), when)
}
