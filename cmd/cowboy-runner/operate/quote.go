package operate

import (
	"context"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/quote"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
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
	o := &quoteOptions{}
	cmd := &cobra.Command{Use: "quote TYPE FILE", Short: "Verify a quote of a trusted environment: tdx, sev or nitro", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			with, err := o.with()
			if err != nil {
				return err
			}
			return o.print(cmd.Context(), cmd.OutOrStdout(), args[0], args[1], with)
		}}
	cmd.Flags().StringVar(&o.certificate, "certificate", "", "sev: the certificate of the chip's key, PEM or DER")
	cmd.Flags().StringVar(&o.root, "root", "", "the root that is trusted, PEM; nitro needs it")
	cmd.Flags().StringVar(&o.at, "at", "", "the time at which certificates and revocation lists have to be valid, as 2024-01-31T00:00:00Z; now if left out")
	cmd.Flags().StringArrayVar(&o.lists, "revocation-list", nil,
		"a file of the vendor's revocation lists, DER or PEM, which none of the certificates may be on; several stand in the order of the collateral")
	cmd.Flags().StringVar(&o.node, "rpc-url", "", "the node whose collateral the quote is held against: roots, versions, and the hash of the revocation lists")
	return cmd
}

// quoteOptions is what a quote is verified with, as the command's flags say it.
type quoteOptions struct {
	certificate, root, at string
	lists                 []string // files
	node                  string
}

func (o *quoteOptions) with() (*quote.With, error) {
	with := &quote.With{Now: time.Now()}
	var err error
	if o.at != "" {
		if with.Now, err = time.Parse(time.RFC3339, o.at); err != nil {
			return nil, err
		}
	}
	if with.Lists, err = revocations(o.lists); err != nil {
		return nil, err
	}
	if o.certificate != "" {
		if with.Certificate, err = os.ReadFile(o.certificate); err != nil {
			return nil, err
		}
		if block, _ := pem.Decode(with.Certificate); block != nil {
			with.Certificate = block.Bytes
		}
	}
	if o.root != "" {
		text, err := os.ReadFile(o.root)
		if err != nil {
			return nil, err
		}
		if with.Root = x509.NewCertPool(); !with.Root.AppendCertsFromPEM(text) {
			return nil, errors.New("--root: no certificate in PEM")
		}
	}
	return with, nil
}

// revocations reads the files of revocation lists; nil where there are none.
func revocations(files []string) (*quote.Lists, error) {
	if len(files) == 0 {
		return nil, nil
	}
	var whole []byte
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		one, err := quote.ParseLists(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		whole = append(whole, one.DER()...)
	}
	return quote.ParseLists(whole)
}

// collateral is what the node's chain holds quotes of a type against now; nil without a node.
//
// Spec: tee §2.4, §4 (3).
func (o *quoteOptions) collateral(ctx context.Context, t tee.Type) (*tee.Snapshot, error) {
	if o.node == "" {
		return nil, nil
	}
	var v wire.Collateral
	if err := api.New(o.node).Read(ctx, "/collateral/"+t.String(), &v); err != nil {
		return nil, err
	}
	if v.InForce == nil {
		return nil, tee.ErrCollateral
	}
	s := &tee.Snapshot{}
	for _, text := range v.InForce.Roots {
		root, err := digest.ParseHash(text)
		if err != nil {
			return nil, err
		}
		s.Roots = append(s.Roots, root)
	}
	least, err := unhex(v.InForce.LeastTCB)
	if err != nil || copy(s.Least[:], least) != len(s.Least) {
		return nil, api.ErrTold
	}
	if v.InForce.Revoked != "" {
		s.Revoked, err = digest.ParseHash(v.InForce.Revoked)
	}
	return s, err
}

// print verifies a quote, holds it to the collateral of the node where there is one, and prints what is in it.
func (o *quoteOptions) print(ctx context.Context, out io.Writer, kind, path string, with *quote.With) error {
	t, err := tee.ParseType(kind)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	collateral, err := o.collateral(ctx, t)
	if err != nil {
		return err
	}
	if collateral != nil {
		with.Listed = collateral.Revoked
	}
	f, err := quote.Verify(t, raw, with)
	switch {
	case err != nil:
		return err
	case collateral != nil && !slices.Contains(collateral.Roots, f.Root):
		return fmt.Errorf("%w: the chain does not list the root %s", quote.ErrCert, f.Root)
	case collateral != nil && !f.TCB.Reaches(collateral.Least):
		return fmt.Errorf("%w: its versions are %x, the chain wants %x", tee.ErrTCB, f.TCB, collateral.Least)
	}
	said := map[string]string{
		"tee_type": kind, "measurement": "0x" + hex.EncodeToString(f.Report.Measurement[:]),
		"measurement_hash": tee.MeasurementHash(f.Report.Measurement).String(),
		"report_data":      "0x" + hex.EncodeToString(f.Report.Data[:]), "tcb": "0x" + hex.EncodeToString(f.TCB[:]), "root": f.Root.String(),
	}
	if !f.Lists.IsZero() {
		said["revoked"] = f.Lists.String()
	}
	text, err := json.MarshalIndent(said, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(text))
	return err
}
