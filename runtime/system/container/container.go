package container

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/container"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Topics of the registry's events. The data of each begins with Bytes name.
const (
	TopicImage        = "container.image_registered" // digest(32)
	TopicImageRemoved = "container.image_deregistered"
	TopicClass        = "container.class_registered" // six UInt, as the class has them
	TopicClassRemoved = "container.class_deregistered"
)

// The codes of faults about images and classes.
//
// Spec: gateway-payments-streams §I (errors).
const (
	FaultImage  uint16 = 1651
	FaultDigest uint16 = 1652
	FaultClass  uint16 = 1653
	FaultLimits uint16 = 1654
)

// New gives the chapter.
//
// Spec: gateway-payments-streams §I; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterContainer, Homes: []byte{account.ContainerRegistry},
		Instructions: []chapter.Instruction{
			change(func(e *chapter.Env, in *tx.RegisterBaseImage) (string, []byte, error) {
				data := codec.AppendFixed(codec.AppendBytes(nil, in.Name), in.Digest[:])
				return TopicImage, data, container.RegisterImage(e.State, string(in.Name), in.Image(e.Block.Height))
			}),
			change(func(e *chapter.Env, in *tx.DeregisterBaseImage) (string, []byte, error) {
				return TopicImageRemoved, codec.AppendBytes(nil, in.Name), container.DeregisterImage(e.State, string(in.Name))
			}),
			change(func(e *chapter.Env, in *tx.RegisterResourceClass) (string, []byte, error) {
				return TopicClass, in.Class().Append(codec.AppendBytes(nil, in.Name)), container.RegisterClass(e.State, string(in.Name), in.Class())
			}),
			change(func(e *chapter.Env, in *tx.DeregisterResourceClass) (string, []byte, error) {
				return TopicClassRemoved, codec.AppendBytes(nil, in.Name), container.DeregisterClass(e.State, string(in.Name))
			}),
		},
		Faults: Faults(),
		Claims: container.Claims(string(tx.ChapterContainer)),
	}
}

// Faults are the rejects of package container, for those that ask the registry.
func Faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: container.ErrImage, Code: FaultImage},
		{Err: container.ErrDigest, Code: FaultDigest},
		{Err: container.ErrClass, Code: FaultClass},
		{Err: container.ErrLimits, Code: FaultLimits},
		{Err: container.ErrFull, Code: drain.FaultLimit},
		{Err: container.ErrPlatform, Code: drain.FaultInput},
		{Err: container.ErrName, Code: drain.FaultInput},
	}
}

// change makes an instruction that changes the registry and says so in an event.
func change[T tx.Instruction](run func(e *chapter.Env, in T) (topic string, data []byte, err error)) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) ([]byte, error) {
		topic, data, err := run(e, in)
		if err != nil {
			return nil, err
		}
		return nil, e.Emit(topic, data)
	})
}
