package link

import (
	"encoding/binary"
	"slices"
	"sync"
)

// Hub connects nodes of one process: a frame is handed to its receiver on the sender's goroutine.
type Hub struct {
	mu    sync.RWMutex
	ports []*Port
}

// Port is one node's place at a Hub.
type Port struct {
	hub      *Hub
	self     Peer
	receiver Receiver
	up       bool
}

// NewHub is a hub with n places.
func NewHub(n int) *Hub {
	h := &Hub{}
	for i := range n {
		p := &Port{hub: h}
		binary.BigEndian.PutUint32(p.self[:], uint32(i)+1)
		h.ports = append(h.ports, p)
	}
	return h
}

// Port is the i-th place.
func (h *Hub) Port(i int) *Port { return h.ports[i] }

// Connect lets the node at p hear and be heard.
func (p *Port) Connect() {
	p.hub.mu.Lock()
	p.up = true
	others := p.others()
	p.hub.mu.Unlock()
	for _, o := range others {
		o.receiver.Up(p.self)
		p.receiver.Up(o.self)
	}
}

// Disconnect takes the node away.
func (p *Port) Disconnect() {
	p.hub.mu.Lock()
	others := p.others()
	was := p.up
	p.up = false
	p.hub.mu.Unlock()
	for _, o := range others {
		if was {
			o.receiver.Down(p.self)
			p.receiver.Down(o.self)
		}
	}
}

// others lists the connected places but p. The lock is held.
func (p *Port) others() []*Port {
	return slices.DeleteFunc(slices.Clone(p.hub.ports), func(o *Port) bool { return o == p || !o.up || o.receiver == nil })
}

// Self implements Messenger.
func (p *Port) Self() Peer { return p.self }

// Attach implements Messenger.
func (p *Port) Attach(r Receiver) {
	p.hub.mu.Lock()
	defer p.hub.mu.Unlock()
	p.receiver = r
}

// Send implements Messenger.
func (p *Port) Send(to Peer, c Channel, frame []byte) {
	for _, o := range p.reachable() {
		if o.self == to {
			o.receiver.Frame(p.self, c, frame)
		}
	}
}

// Broadcast implements Messenger.
func (p *Port) Broadcast(c Channel, frame []byte) {
	for _, o := range p.reachable() {
		o.receiver.Frame(p.self, c, frame)
	}
}

// Report implements Messenger: the nodes of one process are one operator's.
func (p *Port) Report(Peer, string) {}

func (p *Port) reachable() []*Port {
	p.hub.mu.RLock()
	defer p.hub.mu.RUnlock()
	if !p.up {
		return nil
	}
	return p.others()
}
