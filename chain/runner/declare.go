package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a declaration.
const (
	MaxModels        = 64
	MaxServers       = 64
	MaxJobTypes      = 128
	MaxRegions       = 16
	MaxDomains       = 256
	MaxNameBytes     = 256 // of one name in any of the lists
	MaxEndpointBytes = 256
	MaxConcurrent    = 1_024
	// MaxDeclarationBytes bounds the encoding of a whole declaration.
	MaxDeclarationBytes = 16 << 10
)

// Name is a name in a list of a declaration.
type Name struct{ Name string }

// Model identifies a model by the hash of its registration (model_id).
//
// Spec: WP §5.1.
type Model struct{ ID digest.Hash }

// RateCard is what a runner asks for its work, in base units.
//
// Spec: runner-marketplace §2.5; WP-January "Price Discovery: Posted Prices with Priority Tips".
type RateCard struct {
	LLMInputToken       unit.Amount // per token
	LLMOutputToken      unit.Amount // per token
	HTTPRequestBase     unit.Amount // per request
	MCPCallBase         unit.Amount // per call
	ComputeSecond       unit.Amount // per second of wall time
	MemoryMB            unit.Amount // per megabyte used
	MinJobValue         unit.Amount // the smallest max_price it takes
	MaxJobValue         unit.Amount // and the largest, which its stake has to cover
	CooldownBlocks      uint64      // between two changes of the card; less than an epoch counts as an epoch
	SupportedModels     []Model     // strictly ascending
	SupportedMCPServers []Name      // strictly ascending
}

// Capabilities are the jobs a runner can do.
//
// Spec: runner-marketplace §2.5 (RunnerCapabilities), §2.9.
type Capabilities struct {
	JobTypes          []Name // "llm", "http", "mcp_{server}_{tool}", "custom_0x…", "container"; strictly ascending
	TEESupport        string // the kind of its trusted environment; "" for none
	Regions           []Name // strictly ascending
	HTTPDomains       []Name // "*" is all; strictly ascending
	MaxConcurrentJobs uint32
	VolumeMounts      bool   // it mounts encrypted volumes
	CPUMillicores     uint32 // of the largest container it runs
	MemoryMB          uint32
	ScratchMB         uint32
	GPUCount          uint32
}

// Declaration is what a runner says of itself.
type Declaration struct {
	Card         RateCard
	Capabilities Capabilities
	Endpoint     string      // where other runners reach it; "" for none
	Measurement  digest.Hash // of its trusted environment; zero for none
	CardChanged  unit.Height // when the card was last changed
}

// Append appends the canonical encoding: the fields in their order, amounts and numbers as UInt.
func (c RateCard) Append(dst []byte) []byte {
	for _, n := range [...]uint64{
		uint64(c.LLMInputToken), uint64(c.LLMOutputToken), uint64(c.HTTPRequestBase), uint64(c.MCPCallBase), uint64(c.ComputeSecond),
		uint64(c.MemoryMB), uint64(c.MinJobValue), uint64(c.MaxJobValue), c.CooldownBlocks,
	} {
		dst = codec.AppendUint(dst, n)
	}
	dst = codec.AppendLen(dst, len(c.SupportedModels))
	for _, m := range c.SupportedModels {
		dst = codec.AppendFixed(dst, m.ID[:])
	}
	return appendNames(dst, c.SupportedMCPServers)
}

// ReadRateCard reads what Append wrote; errors stay in r.
func ReadRateCard(r *codec.Reader) RateCard {
	var c RateCard
	for _, to := range [...]*unit.Amount{
		&c.LLMInputToken, &c.LLMOutputToken, &c.HTTPRequestBase, &c.MCPCallBase, &c.ComputeSecond, &c.MemoryMB, &c.MinJobValue, &c.MaxJobValue,
	} {
		*to = unit.Amount(r.Uint())
	}
	c.CooldownBlocks = r.Uint()
	if n := r.Len(0, MaxModels, digest.Size); n > 0 {
		c.SupportedModels = make([]Model, n)
		for i := range c.SupportedModels {
			r.Into(c.SupportedModels[i].ID[:])
		}
	}
	c.SupportedMCPServers = readNames(r, MaxServers)
	return c
}

// Append appends the canonical encoding: the fields in their order.
func (c Capabilities) Append(dst []byte) []byte {
	dst = codec.AppendBytes(appendNames(dst, c.JobTypes), []byte(c.TEESupport))
	dst = appendNames(appendNames(dst, c.Regions), c.HTTPDomains)
	dst = codec.AppendBool(codec.AppendUint(dst, uint64(c.MaxConcurrentJobs)), c.VolumeMounts)
	for _, n := range [...]uint32{c.CPUMillicores, c.MemoryMB, c.ScratchMB, c.GPUCount} {
		dst = codec.AppendUint(dst, uint64(n))
	}
	return dst
}

// ReadCapabilities reads what Append wrote; errors stay in r.
func ReadCapabilities(r *codec.Reader) Capabilities {
	c := Capabilities{JobTypes: readNames(r, MaxJobTypes), TEESupport: string(r.Bytes(MaxNameBytes))}
	c.Regions, c.HTTPDomains = readNames(r, MaxRegions), readNames(r, MaxDomains)
	c.MaxConcurrentJobs, c.VolumeMounts = r.Uint32(), r.Bool()
	c.CPUMillicores, c.MemoryMB, c.ScratchMB, c.GPUCount = r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()
	return c
}

func appendNames(dst []byte, list []Name) []byte {
	dst = codec.AppendLen(dst, len(list))
	for _, n := range list {
		dst = codec.AppendBytes(dst, []byte(n.Name))
	}
	return dst
}

func readNames(r *codec.Reader, most int) []Name {
	n := r.Len(0, most, 1)
	if n == 0 {
		return nil
	}
	list := make([]Name, n)
	for i := range list {
		list[i].Name = string(r.Bytes(MaxNameBytes))
	}
	return list
}

// Encode is the record in state: card ‖ capabilities ‖ Bytes endpoint ‖ measurement(32) ‖ UInt card_changed.
func (d *Declaration) Encode() []byte {
	dst := codec.AppendBytes(d.Capabilities.Append(d.Card.Append(nil)), []byte(d.Endpoint))
	return codec.AppendUint(codec.AppendFixed(dst, d.Measurement[:]), uint64(d.CardChanged))
}

// DecodeDeclaration reads what Encode wrote.
func DecodeDeclaration(data []byte) (*Declaration, error) {
	r := codec.NewReader(data)
	d := &Declaration{Card: ReadRateCard(r), Capabilities: ReadCapabilities(r), Endpoint: string(r.Bytes(MaxEndpointBytes))}
	r.Into(d.Measurement[:])
	d.CardChanged = unit.Height(r.Uint())
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("runner: declaration: %w", err)
	}
	return d, nil
}

// Check gives an error of ErrDeclaration for a card outside its bounds.
func (c *RateCard) Check() error {
	models := slices.IsSortedFunc(c.SupportedModels, func(a, b Model) int { return ascending(string(a.ID[:]), string(b.ID[:])) })
	switch {
	case c.MinJobValue > c.MaxJobValue:
		return outside("min_job_value is above max_job_value")
	case c.MaxJobValue > params.GenesisSupply:
		return outside("max_job_value is more than all coins there are")
	case c.CooldownBlocks > params.BlocksPerYear:
		return outside("cooldown_blocks is more than a year")
	case len(c.SupportedModels) > MaxModels || !models:
		return outside("supported_models has at most 64 entries, strictly ascending")
	}
	return checkNames("supported_mcp_servers", c.SupportedMCPServers, MaxServers)
}

// Check gives an error of ErrDeclaration for capabilities outside their bounds.
func (c *Capabilities) Check() error {
	for _, l := range [...]struct {
		field string
		list  []Name
		most  int
	}{
		{"job_types", c.JobTypes, MaxJobTypes}, {"regions", c.Regions, MaxRegions}, {"http_domains", c.HTTPDomains, MaxDomains},
	} {
		if err := checkNames(l.field, l.list, l.most); err != nil {
			return err
		}
	}
	switch {
	case len(c.JobTypes) == 0:
		return outside("job_types is empty")
	case c.MaxConcurrentJobs == 0 || c.MaxConcurrentJobs > MaxConcurrent:
		return outside("max_concurrent_jobs is between 1 and 1,024")
	case len(c.TEESupport) > MaxNameBytes:
		return outside("tee_support has at most 256 bytes")
	}
	return nil
}

// check is the bounds of all of it.
func (d *Declaration) check() error {
	if err := d.Card.Check(); err != nil {
		return err
	}
	if err := d.Capabilities.Check(); err != nil {
		return err
	}
	if len(d.Endpoint) > MaxEndpointBytes {
		return outside("endpoint has at most 256 bytes")
	}
	if len(d.Encode()) > MaxDeclarationBytes {
		return outside("all of it has at most 16 KiB")
	}
	return nil
}

func checkNames(field string, list []Name, most int) error {
	if len(list) > most {
		return outside(fmt.Sprintf("%s has at most %d entries", field, most))
	}
	for _, n := range list {
		if n.Name == "" || len(n.Name) > MaxNameBytes || strings.ContainsFunc(n.Name, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
			return outside(field + " holds names of 1 to 256 visible ASCII characters")
		}
	}
	if !slices.IsSortedFunc(list, func(a, b Name) int { return ascending(a.Name, b.Name) }) {
		return outside(field + " is not strictly ascending")
	}
	return nil
}

// ascending compares for a strict order: each of two equal ones is less than the other, so that no list with both is sorted.
func ascending(a, b string) int {
	if c := cmp.Compare(a, b); c != 0 {
		return c
	}
	return -1
}

func outside(text string) error { return fmt.Errorf("%w: %s", ErrDeclaration, text) }

// cooldown is how many blocks a card stays as it is at least.
//
// Spec: runner-marketplace §2.5 (one change per epoch; cooldown_blocks).
func (c *RateCard) cooldown() uint64 { return max(c.CooldownBlocks, params.CommitteeEpochBlocks) }

// Same reports whether two cards say the same.
func (c *RateCard) Same(d *RateCard) bool { return string(c.Append(nil)) == string(d.Append(nil)) }

// StakeFor is the least stake for a largest job value that was checked: max(10,000 CBY, 1.5 × the value), rounded up.
//
// Spec: WP §5.2, §17.7; runner-marketplace §2.5.
func StakeFor(value unit.Amount) (unit.Amount, error) {
	need, err := value.MulDivCeil(params.RunnerStakePerJobBPS, params.BasisPoints)
	return max(need, params.RunnerStakeFloor), err
}
