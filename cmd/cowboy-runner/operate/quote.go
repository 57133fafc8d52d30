package operate

import (
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/runner/quote"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// environment is the trusted environment that signs results; nil for none.
//
// Spec: tee §2.1, §4.
func (c *config) environment(own account.Address) (*work.Environment, error) {
	if len(c.TEE.Command) == 0 {
		return nil, nil
	}
	if !filepath.IsAbs(c.TEE.Command[0]) {
		return nil, errors.New("tee.command: not an absolute path")
	}
	if c.TEE.Runner != "" {
		var err error
		if own, err = account.ReadAddress(c.TEE.Runner); err != nil {
			return nil, fmt.Errorf("tee.runner: %w", err)
		}
	}
	return &work.Environment{Command: c.TEE.Command, Runner: own}, nil
}

// quoteCommand verifies a quote, and prints what registrations, collateral and attestations need of it.
func quoteCommand() *cobra.Command {
	var certificate, root, at string
	cmd := &cobra.Command{Use: "quote TYPE FILE", Short: "Verify a quote of a trusted environment: tdx, sev or nitro", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			with, err := quoteWith(certificate, root, at)
			if err != nil {
				return err
			}
			return printQuote(cmd.OutOrStdout(), args[0], args[1], with)
		}}
	cmd.Flags().StringVar(&certificate, "certificate", "", "sev: the certificate of the chip's key, PEM or DER")
	cmd.Flags().StringVar(&root, "root", "", "the root that is trusted, PEM; nitro needs it")
	cmd.Flags().StringVar(&at, "at", "", "the time at which certificates have to be valid, as 2024-01-31T00:00:00Z; now if left out")
	return cmd
}

func quoteWith(certificate, root, at string) (*quote.With, error) {
	with := &quote.With{Now: time.Now()}
	var err error
	if at != "" {
		if with.Now, err = time.Parse(time.RFC3339, at); err != nil {
			return nil, err
		}
	}
	if certificate != "" {
		if with.Certificate, err = os.ReadFile(certificate); err != nil {
			return nil, err
		}
		if block, _ := pem.Decode(with.Certificate); block != nil {
			with.Certificate = block.Bytes
		}
	}
	if root != "" {
		text, err := os.ReadFile(root)
		if err != nil {
			return nil, err
		}
		if with.Root = x509.NewCertPool(); !with.Root.AppendCertsFromPEM(text) {
			return nil, errors.New("--root: no certificate in PEM")
		}
	}
	return with, nil
}

func printQuote(out io.Writer, kind, path string, with *quote.With) error {
	t, err := tee.ParseType(kind)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := quote.Verify(t, raw, with)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]string{
		"tee_type": kind, "measurement": "0x" + hex.EncodeToString(f.Report.Measurement[:]),
		"measurement_hash": tee.MeasurementHash(f.Report.Measurement).String(),
		"report_data":      "0x" + hex.EncodeToString(f.Report.Data[:]), "tcb": "0x" + hex.EncodeToString(f.TCB[:]), "root": f.Root.String(),
	}, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(text))
	return err
}
