package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// containerSamples has one instruction of every built opcode about containers.
func containerSamples() []Instruction {
	return []Instruction{
		&RegisterBaseImage{Name: []byte("runner-base"), Digest: digest.Hash{1}, SizeBytes: 70 << 20, Platforms: []Platform{{"linux/amd64"}, {"linux/arm64"}}},
		&DeregisterBaseImage{Name: []byte("runner-base")},
		&RegisterResourceClass{Name: []byte("tiny"), CPUMillicores: 250, MemoryMiB: 128, MaxDurationSec: 60},
		&DeregisterResourceClass{Name: []byte("tiny")},
	}
}

// An image pays for its calldata, and once more for what is written.
//
// Spec: WP §17.2, §17.4; gateway-payments-streams §I.
func TestCostOfImage(t *testing.T) {
	in := &RegisterBaseImage{Name: []byte("runner-base"), Platforms: []Platform{{"linux/amd64"}}}
	if got, want := CostOf(in), (Cost{21_000, 2 * (11 + 32 + 11)}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What is beyond the hard limits is no transaction.
//
// Spec: runner-marketplace §2.9; gateway-payments-streams §I.
func TestImagesAreHeldToLimits(t *testing.T) {
	image := func(change func(*RegisterBaseImage)) Instruction {
		in := &RegisterBaseImage{Name: []byte("a"), Digest: digest.Hash{1}, SizeBytes: params.ContainerImageBytes, Platforms: []Platform{{"linux/amd64"}}}
		change(in)
		return in
	}
	class := func(change func(*RegisterResourceClass)) Instruction {
		in := &RegisterResourceClass{
			Name: []byte("a"), CPUMillicores: 16_000, MemoryMiB: 65_536, ScratchMiB: 204_800, MaxDurationSec: 7_200, GPUCount: 8,
		}
		change(in)
		return in
	}
	for name, c := range map[string]struct {
		in Instruction
		ok bool
	}{
		"an image of 10 GiB":          {image(func(*RegisterBaseImage) {}), true},
		"a byte more":                 {image(func(in *RegisterBaseImage) { in.SizeBytes++ }), false},
		"an image without bytes":      {image(func(in *RegisterBaseImage) { in.SizeBytes = 0 }), false},
		"an image without a digest":   {image(func(in *RegisterBaseImage) { in.Digest = digest.Hash{} }), false},
		"an image without a platform": {image(func(in *RegisterBaseImage) { in.Platforms = nil }), false},
		"a platform twice":            {image(func(in *RegisterBaseImage) { in.Platforms = append(in.Platforms, in.Platforms[0]) }), false},
		"an empty platform":           {image(func(in *RegisterBaseImage) { in.Platforms[0].Name = "" }), false},
		"the largest class":           {class(func(*RegisterResourceClass) {}), true},
		"a thousandth of a core more": {class(func(c *RegisterResourceClass) { c.CPUMillicores++ }), false},
		"a MiB of memory more":        {class(func(c *RegisterResourceClass) { c.MemoryMiB++ }), false},
		"a MiB of scratch more":       {class(func(c *RegisterResourceClass) { c.ScratchMiB++ }), false},
		"a second more":               {class(func(c *RegisterResourceClass) { c.MaxDurationSec++ }), false},
		"a ninth GPU":                 {class(func(c *RegisterResourceClass) { c.GPUCount++ }), false},
		"no processor":                {class(func(c *RegisterResourceClass) { c.CPUMillicores = 0 }), false},
		"no memory":                   {class(func(c *RegisterResourceClass) { c.MemoryMiB = 0 }), false},
		"no time":                     {class(func(c *RegisterResourceClass) { c.MaxDurationSec = 0 }), false},
		"no scratch":                  {class(func(c *RegisterResourceClass) { c.ScratchMiB = 0 }), true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.in.(checked).check(); (err == nil) != c.ok {
				t.Errorf("%v, want accepted: %v", err, c.ok)
			}
		})
	}
}
