package container

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

func newState() *state.Overlay {
	return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
}

func image(n byte) Image {
	return Image{Digest: digest.Hash{n}, SizeBytes: 1 << 20, Platforms: []string{"linux/amd64"}}
}

func text(s string) *string { return &s }

// What a job's container may be, and the error of each that may not.
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9.
func TestAllowed(t *testing.T) {
	s := newState()
	if err := errors.Join(RegisterImage(s, "runner-python", image(1)), RegisterImage(s, "registry.example/team/tool", image(2))); err != nil {
		t.Fatal(err)
	}
	if err := RegisterClass(s, "tiny", Class{CPUMillicores: 100, MemoryMiB: 64, MaxDurationSec: 9}); err != nil {
		t.Fatal(err)
	}
	python := job.Runtime{Repository: "runner-python", Digest: digest.Hash{1}}
	with := func(change func(*job.Runtime)) *job.Runtime { r := python; change(&r); return &r }
	stated := Class{CPUMillicores: 16_000, MemoryMiB: 65_536, ScratchMiB: 204_800, MaxDurationSec: 7_200, GPUCount: 8, GPUMinVRAMMiB: 40}
	state := func(r *job.Runtime) {
		r.CPUMilli, r.MemoryMiB, r.ScratchMiB, r.MaxDuration, r.GPUCount, r.MinVRAMMiB = 16_000, 65_536, 204_800, 7_200, 8, 40
	}
	for name, c := range map[string]struct {
		run  *job.Runtime
		want Class
		err  error
	}{
		"small": {with(func(r *job.Runtime) { r.Class = text("small") }),
			Class{CPUMillicores: 1_000, MemoryMiB: 512, ScratchMiB: 1_024, MaxDurationSec: 300}, nil},
		"gpu-large": {with(func(r *job.Runtime) { r.Class = text("gpu-large") }),
			Class{CPUMillicores: 8_000, MemoryMiB: 32_768, ScratchMiB: 102_400, MaxDurationSec: 3_600, GPUCount: 1}, nil},
		"registered class":  {with(func(r *job.Runtime) { r.Class = text("tiny") }), Class{CPUMillicores: 100, MemoryMiB: 64, MaxDurationSec: 9}, nil},
		"unknown class":     {with(func(r *job.Runtime) { r.Class = text("huge") }), Class{}, ErrClass},
		"overlong class":    {with(func(r *job.Runtime) { r.Class = text(strings.Repeat("x", 256)) }), Class{}, ErrClass},
		"stated at limits":  {with(state), stated, nil},
		"nothing is stated": {&python, Class{}, ErrLimits},
		"another digest":    {with(func(r *job.Runtime) { state(r); r.Digest = digest.Hash{2} }), Class{}, ErrDigest},
		"unknown image":     {with(func(r *job.Runtime) { state(r); r.Repository = "runner-perl" }), Class{}, ErrImage},
		"another registry":  {with(func(r *job.Runtime) { state(r); r.Registry = "elsewhere.example" }), Class{}, ErrImage},
		"overlong name":     {with(func(r *job.Runtime) { state(r); r.Repository = strings.Repeat("x", 256) }), Class{}, ErrImage},
		"with its registry": {with(func(r *job.Runtime) {
			state(r)
			r.Registry, r.Repository, r.Digest = "registry.example", "team/tool", digest.Hash{2}
		}), stated, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Allowed(s, c.run)
			if !errors.Is(err, c.err) || err == nil && got != c.want {
				t.Errorf("%+v %v, want %+v %v", got, err, c.want, c.err)
			}
		})
	}
}

// The registry against a map: thousands of changes, the same entries, and full at its bounds.
//
// Spec: gateway-payments-streams §I.
func TestRegistryAgainstModel(t *testing.T) {
	s, r := newState(), rand.New(rand.NewPCG(1, 2))
	images, classes := map[string]Image{}, map[string]Class{}
	for _, c := range Standard() {
		classes[c.Name] = c.Class
	}
	names := []string{"small", "large", "a", "b", "gpu-small", "zz"}
	for range 3_000 {
		name, n := names[r.IntN(len(names))], byte(r.IntN(200))+1
		switch r.IntN(4) {
		case 0:
			if err := RegisterImage(s, name, image(n)); err != nil {
				t.Fatal(err)
			}
			images[name] = image(n)
		case 1:
			_, there := images[name]
			if err := DeregisterImage(s, name); (err == nil) != there || err != nil && !errors.Is(err, ErrImage) {
				t.Fatalf("image %s: %v", name, err)
			}
			delete(images, name)
		case 2:
			c := Class{CPUMillicores: uint64(n), MemoryMiB: 1, MaxDurationSec: 1}
			if err := RegisterClass(s, name, c); err != nil {
				t.Fatal(err)
			}
			classes[name] = c
		case 3:
			_, there := classes[name]
			if err := DeregisterClass(s, name); (err == nil) != there || err != nil && !errors.Is(err, ErrClass) {
				t.Fatalf("class %s: %v", name, err)
			}
			delete(classes, name)
		}
	}
	var want []NamedClass
	for name, c := range classes {
		want = append(want, NamedClass{name, c})
	}
	slices.SortFunc(want, func(a, b NamedClass) int { return strings.Compare(a.Name, b.Name) })
	if got, err := Classes(s); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v, want %v", got, err, want)
	}
	list, err := Images(s, "", 100)
	if err != nil || len(list) != len(images) {
		t.Fatalf("%d images, %v, want %d", len(list), err, len(images))
	}
	for i, one := range list {
		if !reflect.DeepEqual(one.Image, images[one.Name]) || i > 0 && list[i-1].Name >= one.Name {
			t.Errorf("%s: %+v", one.Name, one.Image)
		}
	}
}

// Spec: gateway-payments-streams §I; WP §9.
func TestRegistryIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		most int
		add  func(s state.Store, name string) error
		drop func(s state.Store, name string) error
	}{
		"images": {MaxImages, func(s state.Store, n string) error { return RegisterImage(s, n, image(1)) }, DeregisterImage},
		"classes": {MaxClasses, func(s state.Store, n string) error {
			return RegisterClass(s, n, Class{CPUMillicores: 1, MemoryMiB: 1, MaxDurationSec: 1})
		}, DeregisterClass},
	} {
		t.Run(name, func(t *testing.T) {
			s := newState()
			for i := range c.most {
				if err := c.add(s, fmt.Sprint("n", i)); err != nil {
					t.Fatal(i, err)
				}
			}
			if err := c.add(s, "one more"); !errors.Is(err, ErrFull) {
				t.Errorf("one more: %v", err)
			}
			if err := c.add(s, "n0"); err != nil {
				t.Errorf("one again: %v", err)
			}
			if err := c.drop(s, "n0"); err != nil {
				t.Error(err)
			}
			if err := c.add(s, "one more"); err != nil {
				t.Errorf("after one left: %v", err)
			}
			if err := c.add(s, ""); !errors.Is(err, ErrName) {
				t.Errorf("no name: %v", err)
			}
		})
	}
	if err := RegisterImage(newState(), strings.Repeat("x", MaxNameBytes), image(1)); err != nil {
		t.Error(err)
	}
	if err := RegisterImage(newState(), strings.Repeat("x", MaxNameBytes+1), image(1)); !errors.Is(err, ErrName) {
		t.Error(err)
	}
}
