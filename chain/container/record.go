package container

import (
	"errors"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of the registry.
const (
	MaxImages       = 1_024
	MaxClasses      = 64
	MaxNameBytes    = 200 // of an image, so that its key is one of the state
	MaxClassBytes   = 64  // of the name of a class
	MaxPlatforms    = 16
	MaxPlatformText = 64
)

// The rejects.
var (
	ErrImage    = errors.New("container: no image of this name is registered")
	ErrDigest   = errors.New("container: the registered image of this name has another digest")
	ErrClass    = errors.New("container: there is no resource class of this name")
	ErrLimits   = errors.New("container: more than a container job may have")
	ErrFull     = errors.New("container: the registry is full")
	ErrPlatform = errors.New("container: the platforms are not 1 to 16 names of at most 64 bytes, strictly ascending")
	ErrName     = errors.New("container: an image's name has 1 to 200 bytes, a class's 1 to 64")
)

// Image is an image that container jobs may run (BaseImageEntry).
//
// Spec: gateway-payments-streams §I.
type Image struct {
	Digest    digest.Hash // sha256 of the manifest
	SizeBytes uint64
	Platforms []string    // for example "linux/amd64"; strictly ascending
	Updated   unit.Height // the block that registered it
}

// Class is what a container of a resource class may use (ResourceClassEntry).
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9.
type Class struct {
	CPUMillicores  uint64 // thousandths of a core
	MemoryMiB      uint64
	ScratchMiB     uint64
	MaxDurationSec uint64
	GPUCount       uint64
	GPUMinVRAMMiB  uint64 // of each GPU
}

// Check holds an image to what may be registered. Rejects: ErrLimits, ErrPlatform.
//
// Spec: runner-marketplace §2.9 (hard limits); gateway-payments-streams §I.
func (i *Image) Check() error {
	if i.Digest.IsZero() || i.SizeBytes == 0 || i.SizeBytes > params.ContainerImageBytes {
		return ErrLimits
	}
	if len(i.Platforms) == 0 || len(i.Platforms) > MaxPlatforms {
		return ErrPlatform
	}
	for n, p := range i.Platforms {
		if p == "" || len(p) > MaxPlatformText || n > 0 && i.Platforms[n-1] >= p {
			return ErrPlatform
		}
	}
	return nil
}

// Check holds a class to the hard limits. A class has a core's part, memory and time. Reject: ErrLimits.
//
// Spec: runner-marketplace §2.9 (hard limits).
func (c *Class) Check() error {
	switch {
	case c.CPUMillicores == 0 || c.MemoryMiB == 0 || c.MaxDurationSec == 0,
		c.CPUMillicores > params.ContainerCPUMilli, c.MemoryMiB > params.ContainerMemoryMiB, c.ScratchMiB > params.ContainerScratchMiB,
		c.MaxDurationSec > params.ContainerSeconds, c.GPUCount > params.ContainerGPUs, c.GPUMinVRAMMiB > params.ContainerVRAMMiB:
		return ErrLimits
	}
	return nil
}

// Append appends the canonical encoding: digest(32) ‖ UInt size ‖ list of Bytes platform ‖ UInt height.
func (i *Image) Append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendFixed(dst, i.Digest[:]), i.SizeBytes)
	dst = codec.AppendLen(dst, len(i.Platforms))
	for _, p := range i.Platforms {
		dst = codec.AppendBytes(dst, []byte(p))
	}
	return codec.AppendUint(dst, uint64(i.Updated))
}

// DecodeImage reads what Append wrote.
func DecodeImage(data []byte) (i Image, err error) {
	r := codec.NewReader(data)
	r.Into(i.Digest[:])
	i.SizeBytes = r.Uint()
	i.Platforms = make([]string, r.Len(0, MaxPlatforms, 1))
	for n := range i.Platforms {
		i.Platforms[n] = string(r.Bytes(MaxPlatformText))
	}
	i.Updated = unit.Height(r.Uint())
	return i, r.Finish()
}

// Append appends the canonical encoding: the fields in their order, as UInt.
func (c Class) Append(dst []byte) []byte {
	for _, n := range [...]uint64{c.CPUMillicores, c.MemoryMiB, c.ScratchMiB, c.MaxDurationSec, c.GPUCount, c.GPUMinVRAMMiB} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// ReadClass reads what Append wrote; errors stay in r.
func ReadClass(r *codec.Reader) Class {
	return Class{r.Uint(), r.Uint(), r.Uint(), r.Uint(), r.Uint(), r.Uint()}
}

// DecodeClass reads a record that holds a class.
func DecodeClass(data []byte) (Class, error) {
	r := codec.NewReader(data)
	c := ReadClass(r)
	return c, r.Finish()
}

// What the keys begin with, after the address of the registry.
const (
	underImage   = "container:image/"
	underClass   = "container:class/"
	countImages  = "container:images"
	countClasses = "container:classes"
)

// Home is where the registry lies.
func Home() account.Address { return account.System(account.ContainerRegistry) }

func under(prefix, name string) []byte {
	return append(account.KeyString(account.KindRecord, Home(), prefix), name...)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	claim := func(holds, suffix string) account.Claim {
		return account.RecordClaim(chapter, Home(), suffix, holds, false)
	}
	list := []account.Claim{claim("images of containers", underImage), claim("resource classes", underClass)}
	for _, name := range [...]string{countImages, countClasses} {
		count := claim("how many there are", name)
		count.Exact = true
		list = append(list, count)
	}
	return list
}

// Standard are the classes of the documents, by ascending name. The documents give no memory of GPUs.
//
// Spec: runner-marketplace §2.9.
func Standard() []NamedClass {
	return []NamedClass{
		{"gpu-large", Class{CPUMillicores: 8_000, MemoryMiB: 32 << 10, ScratchMiB: 100 << 10, MaxDurationSec: 3_600, GPUCount: 1}},
		{"gpu-small", Class{CPUMillicores: 4_000, MemoryMiB: 16 << 10, ScratchMiB: 50 << 10, MaxDurationSec: 1_800, GPUCount: 1}},
		{"large", Class{CPUMillicores: 4_000, MemoryMiB: 8 << 10, ScratchMiB: 20 << 10, MaxDurationSec: 1_800}},
		{"medium", Class{CPUMillicores: 2_000, MemoryMiB: 2 << 10, ScratchMiB: 5 << 10, MaxDurationSec: 600}},
		{"small", Class{CPUMillicores: 1_000, MemoryMiB: 512, ScratchMiB: 1 << 10, MaxDurationSec: 300}},
	}
}

// NamedImage is a registered image with its name.
type NamedImage struct {
	Name  string
	Image Image
}

// NamedClass is a class with its name.
type NamedClass struct {
	Name  string
	Class Class
}

// LoadImage reads an image by its name. Reject: ErrImage.
func LoadImage(r state.Reader, name string) (Image, error) {
	if len(name) > MaxNameBytes {
		return Image{}, ErrImage
	}
	data, ok, err := r.Lookup(under(underImage, name))
	if err != nil {
		return Image{}, err
	}
	if !ok {
		return Image{}, ErrImage
	}
	return DecodeImage(data)
}

// LoadClass reads a class by its name: as it was registered, or else the standard one. Reject: ErrClass.
func LoadClass(r state.Reader, name string) (Class, error) {
	if len(name) > MaxClassBytes {
		return Class{}, ErrClass
	}
	data, ok, err := r.Lookup(under(underClass, name))
	switch {
	case err != nil:
		return Class{}, err
	case !ok:
		return standard(name)
	case len(data) == 0:
		return Class{}, ErrClass
	}
	return DecodeClass(data)
}

func standard(name string) (Class, error) {
	list := Standard()
	if at := slices.IndexFunc(list, func(c NamedClass) bool { return c.Name == name }); at >= 0 {
		return list[at].Class, nil
	}
	return Class{}, ErrClass
}

// Images lists at most limit images with names above after, ascending.
func Images(r state.Reader, after string, limit int) (list []NamedImage, err error) {
	prefix := under(underImage, "")
	var above []byte
	if after != "" {
		above = under(underImage, after)
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var one Image
		if one, err = DecodeImage(value); err != nil {
			return false
		}
		list = append(list, NamedImage{string(key[len(prefix):]), one})
		return true
	})
	return list, errors.Join(failed, err)
}

// Classes lists the classes there are, ascending by name.
func Classes(r state.Reader) ([]NamedClass, error) {
	list := Standard()
	prefix := under(underClass, "")
	var failed error
	err := r.Scan(prefix, nil, MaxClasses, func(key, value []byte) bool {
		name := string(key[len(prefix):])
		at, found := slices.BinarySearchFunc(list, name, func(c NamedClass, n string) int { return strings.Compare(c.Name, n) })
		if len(value) == 0 {
			if found {
				list = slices.Delete(list, at, at+1)
			}
			return true
		}
		var one Class
		if one, failed = DecodeClass(value); failed != nil {
			return false
		}
		if found {
			list[at].Class = one
		} else {
			list = slices.Insert(list, at, NamedClass{name, one})
		}
		return true
	})
	return list, errors.Join(err, failed)
}
