package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// apply does what a plan says, and remembers after each actor where it is.
func (d *deployment) apply(ctx context.Context, plan []*planned) error {
	for _, p := range plan {
		if p.Do == planUnchanged {
			continue
		}
		if err := d.one(ctx, p); err != nil {
			return errors.Join(fmt.Errorf("actor %s: %w", p.Name, err), d.deployed.Save())
		}
		d.deployed.Actors[p.Name] = p.place
		if err := d.deployed.Save(); err != nil {
			return err
		}
		if config, err := findProject(); err == nil {
			config.AddActor(p.Address, p.Source)
			if err := config.Save(); err != nil {
				return err
			}
		}
		if !d.app.asJSON {
			done := map[string]string{planNew: "deployed", planUpgrade: "upgraded", planUnfinished: "initialized"}[p.Do]
			fmt.Fprintf(d.app.out, "%s %s at %s\n", p.Name, done, p.Address)
		}
	}
	return d.deployed.Save()
}

// one deploys, upgrades or finishes an actor.
func (d *deployment) one(ctx context.Context, p *planned) error {
	manifest := []byte(nil)
	var err error
	if p.declared.Manifest != "" {
		if manifest, err = readFile(p.declared.Manifest); err != nil {
			return err
		}
	}
	payload, err := p.declared.Payload(func(name string) string { return d.deployed.Actors[name].Address.String() })
	if err != nil {
		return err
	}
	switch p.Do {
	case planUpgrade:
		if p.developer {
			return d.exchange(ctx, p)
		}
		return d.do(ctx, &tx.UpgradeActor{Actor: p.place.Address, Code: p.code, Manifest: manifest})
	case planNew:
		deploy := &tx.Deploy{Code: p.code, Salt: p.declared.Salt, Manifest: manifest}
		together := p.init && p.declared.Fund == ""
		if together {
			deploy.InitHandler, deploy.InitPayload = []byte(p.declared.InitHandler), payload
		}
		if err := d.do(ctx, deploy); err != nil || together {
			return err
		}
		d.deployed.Actors[p.Name] = p.place
	}
	if p.declared.Fund != "" {
		if err := d.fund(ctx, p); err != nil {
			return err
		}
	}
	if !p.init {
		return nil
	}
	return d.do(ctx, &tx.Execute{To: p.place.Address, Handler: []byte(p.declared.InitHandler), Payload: payload})
}

// fund gives an actor what it lacks of the coins it is declared to begin with.
func (d *deployment) fund(ctx context.Context, p *planned) error {
	want, err := parseCBY(p.declared.Fund)
	if err != nil {
		return err
	}
	actor, err := d.read(ctx, p.place.Address)
	if err != nil || actor == nil || unit.Amount(actor.Balance) >= want {
		return err
	}
	return d.do(ctx, &tx.FundActor{Actor: p.place.Address, Amount: want - unit.Amount(actor.Balance)})
}

// do sends an instruction and waits for it; a failure is an error.
func (d *deployment) do(ctx context.Context, in tx.Instruction) error {
	result, err := d.app.send(ctx, d.flags, in)
	if err != nil {
		return err
	}
	return d.app.failed(result)
}

// failed is the error of a transaction that was included and failed.
func (a *app) failed(result sent) error {
	r := result.Receipt
	if r == nil || r.Success {
		return nil
	}
	why := r.Status
	if r.Error != nil {
		why = r.Error.Why
	}
	if result.Explanation != nil {
		why += "\n" + a.whyText(*result.Explanation)
	}
	return fmt.Errorf("%s\n  see `cowboy trace %s`", why, result.Hash)
}

// exchange gives an actor of a development network new code whatever its manifest says: the code is deployed beside it, which checks it, and taken from
// there.
func (d *deployment) exchange(ctx context.Context, p *planned) error {
	salt, err := saltOrRandom("")
	if err != nil {
		return err
	}
	if err := d.do(ctx, &tx.Deploy{Code: p.code, Salt: salt}); err != nil {
		return err
	}
	beside, err := deriveActor(d.wallet, salt, p.code)
	if err != nil {
		return err
	}
	var receipt wire.Receipt
	if err := d.app.dev(ctx, http.MethodPost, "/dev/code", wire.DevCode{Actor: p.Address, From: beside.String()}, &receipt); err != nil {
		return err
	}
	if !receipt.Success {
		return d.app.failed(sent{Hash: receipt.TransactionHash, Receipt: &receipt})
	}
	return nil
}
