package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/container"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of the Container Registry. Their order inside 160 to 163 is confirmed by no public text: this is the one place that fixes it.
//
// Spec: gateway-payments-streams §I; runner-marketplace §3.
const (
	OpRegisterBaseImage       = Opcode(System)<<8 | 160
	OpDeregisterBaseImage     = Opcode(System)<<8 | 161
	OpRegisterResourceClass   = Opcode(System)<<8 | 162
	OpDeregisterResourceClass = Opcode(System)<<8 | 163
)

// images is the row of an instruction of the Container Registry, which governance alone sends.
//
// Spec: gateway-payments-streams §I; WP §9, §17.2.
func images(op Opcode, name string, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.ContainerRegistry, Lane: params.LaneSystem, Privileged: true,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: body,
	}
}

// What 164 does is in no public text.
//
// Spec: runner-marketplace §3; gateway-payments-streams §I; WP §9.
var containerRows = chapter(ChapterContainer,
	images(OpRegisterBaseImage, "RegisterBaseImage", func() Instruction { return new(RegisterBaseImage) }),
	images(OpDeregisterBaseImage, "DeregisterBaseImage", func() Instruction { return new(DeregisterBaseImage) }),
	images(OpRegisterResourceClass, "RegisterResourceClass", func() Instruction { return new(RegisterResourceClass) }),
	images(OpDeregisterResourceClass, "DeregisterResourceClass", func() Instruction { return new(DeregisterResourceClass) }),
	images(Opcode(System)<<8|164, "ContainerRegistry164", nil),
)

// RegisterBaseImage makes an image one that container jobs may run, or replaces the one of its name:
//
//	Bytes name (≤ 200) ‖ digest(32) ‖ UInt size_bytes ‖ list of Bytes platform (≤ 16)
//
// Spec: gateway-payments-streams §I.
type RegisterBaseImage struct {
	Name      []byte      // registry/repository, or a repository alone
	Digest    digest.Hash // sha256
	SizeBytes uint64
	Platforms []Platform // strictly ascending
}

// Platform is what an image runs on, for example "linux/amd64".
type Platform struct{ Name string }

// Append appends the name.
func (p Platform) Append(dst []byte) []byte { return codec.AppendBytes(dst, []byte(p.Name)) }

func readPlatform(r *codec.Reader) Platform {
	return Platform{string(r.Bytes(container.MaxPlatformText))}
}

// Opcode implements Instruction.
func (*RegisterBaseImage) Opcode() Opcode { return OpRegisterBaseImage }

// Fields implements Instruction.
func (r *RegisterBaseImage) Fields(f *Form) {
	f.Text("name", &r.Name, container.MaxNameBytes)
	f.Hash("digest", &r.Digest)
	f.Uint("size_bytes", &r.SizeBytes)
	listOf(f, "platforms", &r.Platforms, container.MaxPlatforms, readPlatform)
}

// Image is the entry, as of a block.
func (r *RegisterBaseImage) Image(now unit.Height) container.Image {
	i := container.Image{Digest: r.Digest, SizeBytes: r.SizeBytes, Updated: now}
	for _, p := range r.Platforms {
		i.Platforms = append(i.Platforms, p.Name)
	}
	return i
}

func (r *RegisterBaseImage) check() error {
	i := r.Image(0)
	return instructionErr(i.Check())
}

// surcharge is the calldata, and once more what of it is written to state.
// Spec: WP §17.4.
func (r *RegisterBaseImage) surcharge() Cost {
	cells := calldata(r.Name, r.Digest[:])
	for _, p := range r.Platforms {
		cells += calldata([]byte(p.Name))
	}
	return Cost{Cells: 2 * cells}
}

// DeregisterBaseImage removes an image: Bytes name (≤ 200).
//
// Spec: gateway-payments-streams §I.
type DeregisterBaseImage struct{ Name []byte }

// Opcode implements Instruction.
func (*DeregisterBaseImage) Opcode() Opcode { return OpDeregisterBaseImage }

// Fields implements Instruction.
func (d *DeregisterBaseImage) Fields(f *Form) { f.Text("name", &d.Name, container.MaxNameBytes) }

// RegisterResourceClass says what a container of a class may use: Bytes name (≤ 64) ‖ six UInt.
//
// Spec: gateway-payments-streams §I.
type RegisterResourceClass struct {
	Name           []byte
	CPUMillicores  uint64
	MemoryMiB      uint64
	ScratchMiB     uint64
	MaxDurationSec uint64
	GPUCount       uint64
	GPUMinVRAM     uint64 // MiB of each GPU
}

// Opcode implements Instruction.
func (*RegisterResourceClass) Opcode() Opcode { return OpRegisterResourceClass }

// Fields implements Instruction.
func (r *RegisterResourceClass) Fields(f *Form) {
	f.Text("name", &r.Name, container.MaxClassBytes)
	f.Uint("cpu_millicores", &r.CPUMillicores)
	f.Uint("memory_mib", &r.MemoryMiB)
	f.Uint("scratch_mib", &r.ScratchMiB)
	f.Uint("max_duration_sec", &r.MaxDurationSec)
	f.Uint("gpu_count", &r.GPUCount)
	f.Uint("gpu_min_vram", &r.GPUMinVRAM)
}

// Class is the entry.
func (r *RegisterResourceClass) Class() container.Class {
	return container.Class{
		CPUMillicores: r.CPUMillicores, MemoryMiB: r.MemoryMiB, ScratchMiB: r.ScratchMiB, MaxDurationSec: r.MaxDurationSec,
		GPUCount: r.GPUCount, GPUMinVRAMMiB: r.GPUMinVRAM,
	}
}

func (r *RegisterResourceClass) check() error {
	c := r.Class()
	return instructionErr(c.Check())
}

// DeregisterResourceClass removes a class: Bytes name (≤ 64).
//
// Spec: gateway-payments-streams §I.
type DeregisterResourceClass struct{ Name []byte }

// Opcode implements Instruction.
func (*DeregisterResourceClass) Opcode() Opcode { return OpDeregisterResourceClass }

// Fields implements Instruction.
func (d *DeregisterResourceClass) Fields(f *Form) { f.Text("name", &d.Name, container.MaxClassBytes) }
