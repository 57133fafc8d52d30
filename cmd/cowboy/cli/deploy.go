package cli

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/project"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// What is to be done about an actor.
const (
	planNew        = "new"
	planUnchanged  = "unchanged"
	planUpgrade    = "upgrade"
	planUnfinished = "unfinished" // it is there, and was never initialized
	planConflict   = "conflict"
)

// initialized is the storage key under which an actor that was initialized says so. Spec: sdk §4 (reserved keys).
const initialized = "__INITIALIZED__"

// planned is one actor of a plan.
type planned struct {
	Name    string `json:"name"`
	Do      string `json:"do"`
	Address string `json:"address,omitempty"`
	Source  string `json:"source"`
	Note    string `json:"note,omitempty"`

	declared  *project.Declared
	code      []byte
	place     *project.Place
	init      bool // its init handler is to be called
	developer bool // it is upgraded by the controls of a development network
}

// deployment brings a network to what a project declares.
type deployment struct {
	app      *app
	manifest *project.Manifest
	deployed *project.Deployed
	wallet   account.Address
	network  string
	controls bool                        // the node has developer controls
	history  map[string][]*project.Place // what the wallet deployed, newest first, by salt; nil: not read yet
	flags    *sendFlags
}

func (a *app) deployCommand() *cobra.Command {
	var yes, only bool
	cmd := &cobra.Command{
		Use: "deploy [ACTOR...]", Short: "Deploy or upgrade the actors that cowboy.toml declares",
		Long: "Deploy or upgrade the actors that cowboy.toml declares: all, or those named and what they depend on.\n\n" +
			"The plan is shown first. Actors that are there already with the same source are left alone, so the command may be repeated.\n" +
			"Where an actor's source changed, it is upgraded in place and keeps its storage, if its manifest grants sys.upgrade or the network is a\n" +
			"development network.\n" +
			"Addresses are kept in " + project.DeployedDir + "/; what is lost there is found again on the chain.",
		RunE: func(cmd *cobra.Command, names []string) error {
			d, err := a.newDeployment(cmd.Context())
			if err != nil {
				return err
			}
			plan, err := d.plan(cmd.Context(), names)
			if err != nil {
				return err
			}
			work, conflicts := count(plan)
			if !a.asJSON {
				fmt.Fprint(a.out, d.text(plan))
			}
			switch {
			case conflicts > 0:
				return errors.Join(a.planJSON(plan), errors.New("nothing was deployed: there are conflicts"))
			case work == 0 || only:
				return errors.Join(a.planJSON(plan), d.deployed.Save())
			case !yes && !a.agreed():
				return errors.New("nothing was deployed\n  --yes does it without asking, --plan shows the plan alone")
			}
			if err := d.apply(cmd.Context(), plan); err != nil {
				return err
			}
			return a.planJSON(plan)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&only, "plan", false, "show what would be done, and do nothing")
	return cmd
}

// planJSON shows a plan to a script.
func (a *app) planJSON(plan []*planned) error {
	if !a.asJSON {
		return nil
	}
	return a.showJSON(map[string]any{"actors": plan})
}

// agreed asks the person at the terminal.
func (a *app) agreed() bool {
	if a.asJSON {
		return false
	}
	if file, ok := a.in.(*os.File); ok {
		if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			return false
		}
	}
	fmt.Fprint(a.out, "Do it? [y/N] ")
	line, _ := bufio.NewReader(a.in).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

// newDeployment reads the project here or above, and which chain its node has.
func (a *app) newDeployment(ctx context.Context) (*deployment, error) {
	config, err := findProject()
	if err != nil {
		return nil, fmt.Errorf("%w\n  make a project by `cowboy init local`", err)
	}
	root := rootOf(config)
	d := &deployment{app: a, network: networkOf(config), flags: &sendFlags{}}
	d.flags.register(&cobra.Command{}, 10_000_000, 10_000_000)
	d.flags.wait = true
	if d.manifest, err = project.ReadManifest(root); err != nil {
		return nil, err
	}
	if d.deployed, err = project.ReadDeployed(root, d.network); err != nil {
		return nil, err
	}
	key, err := a.key("")
	if err != nil {
		return nil, err
	}
	if d.wallet, err = addressOf(key); err != nil {
		return nil, err
	}
	var health wire.Health
	if err := a.node().Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	var genesis wire.Block
	if err := a.node().Read(ctx, "/block/height/0", &genesis); err != nil && !api.NotFound(err) {
		return nil, err
	}
	if d.deployed.Of(health.ChainID, genesis.Hash) && !a.asJSON {
		fmt.Fprintf(a.out, "%s has another chain than when these actors were deployed; what was known of the other one is dropped\n", d.network)
	}
	var controls wire.Dev
	d.controls = a.node().Read(ctx, "/dev", &controls) == nil
	return d, nil
}

// plan says what is to be done about the named actors and what they depend on, all if none is named, in the order of their dependencies.
func (d *deployment) plan(ctx context.Context, names []string) ([]*planned, error) {
	if len(d.manifest.Actors) == 0 {
		return nil, fmt.Errorf("%s declares no actors\n  declare one: [actors.counter] with source = \"actors/counter/main.py\"", d.manifest.Path)
	}
	wanted, err := d.wanted(names)
	if err != nil {
		return nil, err
	}
	var plan []*planned
	places := map[account.Address]string{}
	for _, declared := range d.manifest.Actors {
		if !wanted[declared.Name] {
			continue
		}
		one, err := d.consider(ctx, declared)
		if err != nil {
			return nil, err
		}
		if one.place != nil {
			if other := places[one.place.Address]; other != "" {
				one.Do, one.Note = planConflict, "it has the same source and salt as "+other+
					", so it would be the same actor; give it a salt of its own"
			}
			places[one.place.Address] = one.Name
		}
		plan = append(plan, one)
	}
	return plan, nil
}

// wanted are the named actors and those they depend on.
func (d *deployment) wanted(names []string) (map[string]bool, error) {
	wanted := map[string]bool{}
	var want func(name string) error
	want = func(name string) error {
		declared := d.manifest.Find(name)
		if declared == nil {
			return usageError{fmt.Errorf("%s declares no actor %q", d.manifest.Path, shorten(name))}
		}
		wanted[name] = true
		for _, other := range declared.After {
			if err := want(other); err != nil {
				return err
			}
		}
		return nil
	}
	if len(names) == 0 {
		for _, declared := range d.manifest.Actors {
			names = append(names, declared.Name)
		}
	}
	for _, name := range names {
		if err := want(name); err != nil {
			return nil, err
		}
	}
	return wanted, nil
}

// consider compares an actor as it is declared with the chain.
func (d *deployment) consider(ctx context.Context, declared *project.Declared) (*planned, error) {
	p := &planned{Name: declared.Name, Source: declared.Source, declared: declared}
	var err error
	if p.code, err = readSource(declared.Source); err != nil {
		return nil, fmt.Errorf("actor %s: %w", declared.Name, err)
	}
	if findings := checkSource(declared.Source, p.code); len(findings) > 0 {
		return nil, fmt.Errorf("actor %s would be refused:\n  %s", declared.Name, strings.Join(findings, "\n  "))
	}
	calls := declared.Init && hasHandler(p.code, declared.InitHandler)
	there, err := d.locate(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Address = p.place.Address.String()
	if there == nil {
		p.Do, p.init = planNew, calls
		return p, nil
	}
	d.deployed.Actors[p.Name] = p.place
	hash := account.CodeHash(p.code)
	same := there.CodeHash == hex.EncodeToString(hash[:])
	if calls {
		done, err := d.initialized(ctx, p.place.Address)
		if err != nil {
			return nil, err
		}
		p.init = !done && declared.InitHandler == "init"
	}
	switch {
	case same && p.init:
		p.Do, p.Note = planUnfinished, "its init handler was never called"
	case same:
		p.Do, p.init = planUnchanged, false
	case there.Creator != d.wallet.String():
		p.Do, p.Note = planConflict, "it was deployed by "+there.Creator+", and this wallet is "+d.wallet.String()
	case grants(there, "sys.upgrade"):
		p.Do = planUpgrade
	case d.controls:
		p.Do, p.developer, p.Note = planUpgrade, true, "by the developer controls; elsewhere its manifest would have to grant sys.upgrade"
	default:
		p.Do = planConflict
		p.Note = "its source changed, and it has no sys.upgrade in its manifest; another salt deploys it anew beside the old one"
	}
	return p, nil
}

func grants(actor *wire.Actor, id string) bool {
	return slices.ContainsFunc(actor.Entitlements, func(e wire.Entitlement) bool { return e.ID == id && e.State != "removed" })
}

// hasHandler tells whether a source has a handler; one whose handlers cannot be read off its text may have.
func hasHandler(source []byte, name string) bool {
	document, err := outline.Of(source)
	return err != nil || !document.Complete || document.Handler(name) != nil
}

func (d *deployment) initialized(ctx context.Context, actor account.Address) (bool, error) {
	var value wire.Value
	err := d.app.node().Read(ctx, "/state/"+actor.String()+"/"+hex.EncodeToString([]byte(initialized)), &value)
	if api.NotFound(err) {
		return false, nil
	}
	return value.Value != nil, err
}

// locate finds an actor: where it was deployed from here, where its source and salt lead, or where the wallet once deployed something with its salt.
// Nil is an actor that is nowhere; its place is then where it will be.
func (d *deployment) locate(ctx context.Context, p *planned) (*wire.Actor, error) {
	derived, err := project.NewPlace(d.wallet, p.declared.Salt, account.CodeHash(p.code))
	if err != nil {
		return nil, fmt.Errorf("actor %s: %w", p.Name, err)
	}
	candidates := []*project.Place{derived}
	if known := d.deployed.Actors[p.Name]; known != nil && known.Uses(p.declared.Salt) {
		candidates = []*project.Place{known, derived}
	}
	for _, place := range candidates {
		actor, err := d.read(ctx, place.Address)
		if err != nil || actor != nil {
			p.place = place
			return actor, err
		}
	}
	if err := d.readHistory(ctx); err != nil {
		return nil, err
	}
	for _, place := range d.history[derived.Salt] {
		if d.named(place.Address) != "" && d.named(place.Address) != p.Name {
			continue
		}
		actor, err := d.read(ctx, place.Address)
		if err != nil || actor != nil {
			p.place = place
			return actor, err
		}
	}
	p.place = derived
	return nil, nil
}

// named is the actor that is known to be at an address.
func (d *deployment) named(address account.Address) string {
	for name, place := range d.deployed.Actors { // order-free: an address has one name
		if place.Address == address {
			return name
		}
	}
	return ""
}

// read gives an actor; nil where there is none.
func (d *deployment) read(ctx context.Context, address account.Address) (*wire.Actor, error) {
	var actor wire.Actor
	err := d.app.node().Read(ctx, "/actor/"+address.String()+"?limit=1", &actor)
	if api.NotFound(err) {
		return nil, nil
	}
	return &actor, err
}

const (
	historyPage = 200
	historyMost = 10_000 // transactions of the wallet that are looked through
)

// readHistory looks through what the wallet deployed, as far as the node remembers.
func (d *deployment) readHistory(ctx context.Context) error {
	if d.history != nil {
		return nil
	}
	d.history = map[string][]*project.Place{}
	for offset := uint64(0); offset < historyMost; offset += historyPage {
		var page struct {
			Transactions []wire.Transaction `json:"transactions"`
			TotalCount   uint64             `json:"total_count"`
		}
		path := fmt.Sprintf("/account/%s/transactions?offset=%d&limit=%d", d.wallet, offset, historyPage)
		if err := d.app.node().Read(ctx, path, &page); err != nil {
			return err
		}
		for _, t := range page.Transactions {
			salt, code, ok := deployOf(t.Instruction)
			if !ok || t.From != d.wallet.String() {
				continue
			}
			if place, err := project.NewPlace(d.wallet, salt, account.CodeHash(code)); err == nil {
				d.history[place.Salt] = append(d.history[place.Salt], place)
			}
		}
		if offset+historyPage >= page.TotalCount {
			break
		}
	}
	return nil
}

// deployOf reads salt and canonical source of a deployment as the interface shows it.
func deployOf(in wire.Instruction) (salt, code []byte, ok bool) {
	if in["type"] != "Deploy" {
		return nil, nil, false
	}
	text, isText := in["code"].(string)
	digits, isHex := in["salt"].(string)
	if !isText || !isHex {
		return nil, nil, false
	}
	salt, err := hex.DecodeString(trim0x(digits))
	return salt, []byte(text), err == nil
}

var planSigns = map[string]string{planNew: "+", planUnchanged: "=", planUpgrade: "~", planUnfinished: "~", planConflict: "!"}

// text shows a plan.
func (d *deployment) text(plan []*planned) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Plan for %s at %s, by %s:\n", d.network, d.app.url(), d.wallet)
	counts := map[string]int{}
	for _, p := range plan {
		counts[p.Do]++
		fmt.Fprintf(&b, "  %s %-16s %-10s %s\n", planSigns[p.Do], p.Name, p.Do, p.Address)
		if p.Note != "" {
			fmt.Fprintf(&b, "      %s\n", p.Note)
		}
	}
	var sums []string
	for _, do := range []string{planNew, planUpgrade, planUnfinished, planUnchanged, planConflict} {
		if counts[do] > 0 {
			sums = append(sums, fmt.Sprintf("%d %s", counts[do], do))
		}
	}
	return b.String() + strings.Join(sums, ", ") + "\n"
}

// count tells how many actors of a plan are to be touched, and how many cannot be.
func count(plan []*planned) (work, conflicts int) {
	for _, p := range plan {
		switch p.Do {
		case planConflict:
			conflicts++
		case planUnchanged:
		default:
			work++
		}
	}
	return work, conflicts
}
