package index

import (
	"bytes"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	actorBucket = []byte("actors") // height(8) ‖ index(4) of the receipt → the actor(20) it created
	topicBucket = []byte("topics") // topicName ‖ topic ‖ 0 ‖ actor(20) → height(8) of the newest event; topicCount ‖ actor(20) → how many(8)
	actorsKey   = []byte("actors")
)

const (
	topicCount = 0
	topicName  = 1
	// MaxTopic is the longest topic that is found by its name, and maxTopics how many of an actor are.
	MaxTopic  = 64
	maxTopics = 64
)

// Created is an actor and the receipt that created it.
type Created struct {
	Place
	Actor account.Address
}

// Topic is a topic of an actor's events and the block of the newest one.
type Topic struct {
	Name   string
	Actor  account.Address
	Height unit.Height
}

// putActor keeps the actor a receipt created and the topics of its events.
func (f *file) putActor(t *bbolt.Tx, x *block.Receipt, h unit.Height, index uint32) error {
	if x.Created != nil && x.Status == block.Success {
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, uint64(h)), index)
		if err := t.Bucket(actorBucket).Put(key, seal(key, x.Created[:]...)); err != nil {
			return err
		}
		n, _, err := f.number(t.Bucket(metaBucket), actorsKey)
		if err != nil {
			return err
		}
		if err := putNumber(t.Bucket(metaBucket), actorsKey, n+1); err != nil {
			return err
		}
	}
	for i := range x.Events {
		if err := f.putTopic(t.Bucket(topicBucket), &x.Events[i], h); err != nil {
			return err
		}
	}
	return nil
}

// putTopic keeps a topic that is new or has a new event.
func (f *file) putTopic(b *bbolt.Bucket, e *block.Event, h unit.Height) error {
	if len(e.Topic) == 0 || len(e.Topic) > MaxTopic || bytes.IndexByte(e.Topic, 0) >= 0 {
		return nil
	}
	key := append(append(append([]byte{topicName}, e.Topic...), 0), e.Actor[:]...)
	newest, known, err := f.number(b, key)
	if err != nil || known && newest == uint64(h) {
		return err
	}
	if !known {
		counter := append([]byte{topicCount}, e.Actor[:]...)
		n, _, err := f.number(b, counter)
		if err != nil || n >= maxTopics {
			return err
		}
		if err := putNumber(b, counter, n+1); err != nil {
			return err
		}
	}
	return putNumber(b, key, uint64(h))
}

// actors gives those created before a place, the newest first, and how many there are.
func (f *file) actors(before Place, limit int) (list []Created, total uint64, err error) {
	err = f.view(func(t *bbolt.Tx) (err error) {
		if total, _, err = f.number(t.Bucket(metaBucket), actorsKey); err != nil {
			return err
		}
		c := t.Bucket(actorBucket).Cursor()
		at := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, uint64(before.Height)), before.Index)
		found, _, err := f.seek(c, at)
		if err != nil {
			return err
		}
		key, sealed := c.Prev()
		if found == nil {
			key, sealed = c.Last()
		}
		for ; key != nil && len(list) < limit; key, sealed = c.Prev() {
			value, err := f.unseal(key, sealed, account.AddressSize)
			if err != nil {
				return err
			}
			place := Place{unit.Height(binary.BigEndian.Uint64(key)), binary.BigEndian.Uint32(key[8:])}
			list = append(list, Created{place, account.Address(value)})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return list, total, nil
}

// topics gives those whose names begin so, by name, at most limit.
func (f *file) topics(prefix string, limit int) (list []Topic, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		b := t.Bucket(topicBucket)
		c := b.Cursor()
		from := append([]byte{topicName}, prefix...)
		key, _, err := f.seek(c, from)
		if err != nil {
			return err
		}
		for ; bytes.HasPrefix(key, from) && len(list) < limit; key, _ = c.Next() {
			name, actor, ok := bytes.Cut(key[1:], []byte{0})
			if !ok || len(actor) != account.AddressSize {
				return f.damaged("a topic is of nobody")
			}
			height, _, err := f.number(b, key)
			if err != nil {
				return err
			}
			list = append(list, Topic{string(name), account.Address(actor), unit.Height(height)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Actors gives the actors that deployments created before a place, the newest first, and how many there are of those the index saw. The zero Place is behind
// all of them.
func (h *Handle) Actors(before Place, limit int) ([]Created, uint64, error) {
	f := h.file.Load()
	if f == nil {
		return nil, 0, nil
	}
	if before == (Place{}) {
		before.Height = ^unit.Height(0)
	}
	list, total, err := f.actors(before, limit)
	return list, total, h.noticed(f, err)
}

// Topics gives the topics of actors' events whose names begin so, by name. Those longer than MaxTopic and the many of one actor are not known.
func (h *Handle) Topics(prefix string, limit int) ([]Topic, error) {
	f := h.file.Load()
	if f == nil {
		return nil, nil
	}
	list, err := f.topics(prefix, limit)
	return list, h.noticed(f, err)
}
