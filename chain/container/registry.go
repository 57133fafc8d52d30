package container

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// NameOf is the name of the image a job runs, as the registry has it.
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9 (ImageRef).
func NameOf(r *job.Runtime) string {
	if r.Registry == "" {
		return r.Repository
	}
	return r.Registry + "/" + r.Repository
}

// RegisterImage makes an image one that jobs may run, or replaces the one of this name. Rejects: ErrName, ErrLimits, ErrPlatform, ErrFull.
//
// Spec: gateway-payments-streams §I (RegisterBaseImage).
func RegisterImage(s state.Store, name string, i Image) error {
	if name == "" || len(name) > MaxNameBytes {
		return ErrName
	}
	if err := i.Check(); err != nil {
		return err
	}
	return put(s, underImage, name, i.Append(nil), MaxImages)
}

// DeregisterImage removes an image. Jobs that are assigned keep it. Reject: ErrImage.
//
// Spec: gateway-payments-streams §I (DeregisterBaseImage).
func DeregisterImage(s state.Store, name string) error {
	if _, err := LoadImage(s, name); err != nil {
		return err
	}
	return remove(s, underImage, name)
}

// RegisterClass gives a name of a resource class a meaning. Rejects: ErrName, ErrLimits, ErrFull.
//
// Spec: gateway-payments-streams §I (RegisterResourceClass).
func RegisterClass(s state.Store, name string, c Class) error {
	if name == "" || len(name) > MaxClassBytes {
		return ErrName
	}
	if err := c.Check(); err != nil {
		return err
	}
	return put(s, underClass, name, c.Append(nil), MaxClasses)
}

// DeregisterClass removes a class, a standard one too. Rejects: ErrClass, ErrFull.
//
// Spec: gateway-payments-streams §I (DeregisterResourceClass).
func DeregisterClass(s state.Store, name string) error {
	if _, err := LoadClass(s, name); err != nil {
		return err
	}
	if _, err := standard(name); err == nil {
		return put(s, underClass, name, []byte{}, MaxClasses)
	}
	return remove(s, underClass, name)
}

// Allowed gives what a container job may use: its class, or what it states itself. Rejects: ErrImage, ErrDigest, ErrClass, ErrLimits.
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9.
func Allowed(r state.Reader, run *job.Runtime) (Class, error) {
	image, err := LoadImage(r, NameOf(run))
	if err != nil {
		return Class{}, err
	}
	if image.Digest != run.Digest {
		return Class{}, ErrDigest
	}
	if run.Class != nil {
		return LoadClass(r, *run.Class)
	}
	c := Class{
		uint64(run.CPUMilli), uint64(run.MemoryMiB), uint64(run.ScratchMiB), run.MaxDuration, uint64(run.GPUCount), uint64(run.MinVRAMMiB),
	}
	return c, c.Check()
}

func countOf(prefix string) []byte {
	name := countImages
	if prefix == underClass {
		name = countClasses
	}
	return account.KeyString(account.KindRecord, Home(), name)
}

// put writes a record and counts it where it is new.
func put(s state.Store, prefix, name string, value []byte, most uint64) error {
	key := under(prefix, name)
	if _, ok, err := s.Lookup(key); err != nil {
		return err
	} else if !ok {
		n, err := state.Number(s, countOf(prefix))
		if err != nil {
			return err
		}
		if n >= most {
			return ErrFull
		}
		state.SetNumber(s, countOf(prefix), n+1)
	}
	s.Set(key, value)
	return nil
}

// remove deletes a record that is there.
func remove(s state.Store, prefix, name string) error {
	n, err := state.Number(s, countOf(prefix))
	if err != nil {
		return err
	}
	s.Delete(under(prefix, name))
	state.SetNumber(s, countOf(prefix), n-1)
	return nil
}
