package wire

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/container"
)

// Containers answers GET /containers. Spec: gateway-payments-streams §I.
type Containers struct {
	Images     []ContainerImage `json:"images"`
	Classes    []ResourceClass  `json:"resource_classes"`
	NextCursor string           `json:"next_cursor,omitempty"`
}

// ContainerImage is an image that container jobs may run (BaseImageEntry). Spec: gateway-payments-streams §I.
type ContainerImage struct {
	Name      string   `json:"name"`
	Digest    string   `json:"digest"` // as references have it: "sha256:…"
	SizeBytes uint64   `json:"size_bytes"`
	Platforms []string `json:"platforms"`
	UpdatedAt uint64   `json:"updated_at"`
}

// ResourceClass is what a container of a class may use (ResourceClassEntry). Spec: gateway-payments-streams §I; runner-marketplace §2.9.
type ResourceClass struct {
	Name           string `json:"name"`
	CPUMillicores  uint64 `json:"cpu_millicores"`
	MemoryMiB      uint64 `json:"memory_mib"`
	ScratchMiB     uint64 `json:"scratch_mib"`
	MaxDurationSec uint64 `json:"max_duration_sec"`
	GPUCount       uint64 `json:"gpu_count"`
	GPUMinVRAM     uint64 `json:"gpu_min_vram"` // MiB
}

// ViewContainers shows a page of images, of at most limit, and all classes.
func ViewContainers(images []container.NamedImage, classes []container.NamedClass, limit int) Containers {
	v := Containers{Images: make([]ContainerImage, len(images)), Classes: make([]ResourceClass, len(classes))}
	for n, i := range images {
		v.Images[n] = ContainerImage{
			Name: i.Name, Digest: fmt.Sprintf("sha256:%x", i.Image.Digest[:]), SizeBytes: i.Image.SizeBytes, Platforms: i.Image.Platforms,
			UpdatedAt: uint64(i.Image.Updated),
		}
	}
	for n, c := range classes {
		k := c.Class
		v.Classes[n] = ResourceClass{c.Name, k.CPUMillicores, k.MemoryMiB, k.ScratchMiB, k.MaxDurationSec, k.GPUCount, k.GPUMinVRAMMiB}
	}
	if len(images) == limit {
		v.NextCursor = images[limit-1].Name
	}
	return v
}
