package operate

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/bind"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// binding is what the configuration has the runner bound to; nil where it names no measurements. The file of the service's key is below the data directory, or
// an absolute path: 32 bytes in hexadecimal digits.
//
// Spec: tee §2.3.
func (c *config) binding(dir string) (*tee.Binding, error) {
	if len(c.TEE.Measurements) == 0 {
		return nil, nil
	}
	if len(c.TEE.Command) == 0 {
		return nil, errors.New("tee.measurements: tee.command, which signs the binding, is missing")
	}
	b := &tee.Binding{}
	var err error
	if b.Type, err = tee.ParseType(c.TEE.Type); err != nil {
		return nil, fmt.Errorf("tee.type: %w", err)
	}
	if b.Measurements, err = listed(c.TEE.Measurements); err != nil {
		return nil, fmt.Errorf("tee.measurements: %w", err)
	}
	if b.Accelerators, err = listed(c.TEE.Accelerators); err != nil {
		return nil, fmt.Errorf("tee.accelerators: %w", err)
	}
	if b.Scheme, err = tee.ParseScheme(c.TEE.ServiceScheme); err != nil {
		return nil, fmt.Errorf("tee.service_scheme: %w", err)
	}
	if path := c.TEE.ServiceKey; path != "" {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("tee.service_key: %w", err)
		}
		key, err := hex.DecodeString(string(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("0x"))))
		if err != nil || copy(b.Service[:], key) != len(b.Service) || len(key) != len(b.Service) {
			return nil, fmt.Errorf("tee.service_key: %s has no key of 32 bytes in hexadecimal digits", path)
		}
	}
	return b, b.Check()
}

// listed reads hashes, in the order in which a binding has them.
func listed(texts []string) (list []digest.Hash, err error) {
	for _, text := range texts {
		one, err := digest.ParseHash(text)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(x, y digest.Hash) int { return bytes.Compare(x[:], y[:]) })
	return slices.Compact(list), nil
}

// Standing implements bind.Chain.
func (c *Client) Standing(ctx context.Context) (*bind.Standing, error) {
	var height wire.Height
	if err := c.wallet.Node.Read(ctx, "/height", &height); err != nil {
		return nil, err
	}
	var r wire.Runner
	if err := c.wallet.Node.Read(ctx, "/runner/"+c.wallet.Key.Address().String(), &r); err != nil {
		return nil, err
	}
	s := &bind.Standing{Height: unit.Height(height.Height)}
	var err error
	if r.Binding != nil {
		s.Expires = unit.Height(r.Binding.ExpiresAt)
		if s.Hash, err = digest.ParseHash(r.Binding.Hash); err != nil {
			return nil, err
		}
	}
	if n := r.BindingNonce; n != nil {
		s.Asked = &tee.Asked{At: unit.Height(n.AskedAt)}
		s.Asked.Nonce, err = digest.ParseHash(n.Nonce)
	}
	return s, err
}

// bindCost are the limits of a call about a binding: the check of a signature of P-384, and a record of the greatest size.
var bindCost = tx.Cost{Cycles: 250_000, Cells: 10_000}

// Ask implements bind.Chain.
func (c *Client) Ask(ctx context.Context, method string, args cbor.Map) error {
	data, err := cbor.Append(nil, args)
	if err != nil {
		return err
	}
	return c.Send(ctx, &tx.Execute{To: account.System(account.TEEVerifier), Handler: []byte(method), Payload: data}, bindCost)
}

// binds has the runner's binding kept as the configuration has it; nil where it has none.
func (r *running) binds(chain *Client, environment *work.Environment) (*bind.Handle, []supervision.Spec, error) {
	wanted, err := r.config.binding(r.dir)
	if err != nil || wanted == nil {
		return nil, nil, err
	}
	h := bind.NewHandle()
	return h, []supervision.Spec{bind.Spec(h, func() *bind.Keeper {
		return &bind.Keeper{Handle: h, Wanted: wanted, Chain: chain, Environment: environment, Clock: supervision.RealClock{}}
	})}, nil
}
