package net_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/netip"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// host is told what happens on a node's connections.
type host struct {
	up     chan transport.Peer
	frames chan *transport.Frame
}

func (h host) Up(p transport.Peer)             { h.up <- p }
func (h host) Down(transport.Peer, error)      {}
func (h host) Failed(transport.Target, error)  {}
func (h host) Refused(netip.AddrPort, error)   {}
func (h host) Receive(f *transport.Frame) bool { h.frames <- f; return true }

// Two nodes of one network meet on loopback: each proves its identity by its key, and frames go over channels that do not delay each other.
func Example() {
	listen := func(name string) (*transport.Transport, host) {
		h := host{make(chan transport.Peer, 1), make(chan *transport.Frame, 1)}
		seed := sha256.Sum256([]byte(name))
		key, err := transport.KeyFromSeed(seed[:])
		if err != nil {
			panic(err)
		}
		t, err := transport.Listen(transport.Config{
			Key: key, Network: "example", Genesis: sha256.Sum256([]byte("genesis")), Agent: name, Address: netip.MustParseAddrPort("127.0.0.1:0"),
		}, h)
		if err != nil {
			panic(err)
		}
		return t, h
	}
	alice, told := listen("alice")
	defer func() { _ = alice.Close() }()
	bob, heard := listen("bob")
	defer func() { _ = bob.Close() }()

	alice.Dial(transport.Target{ID: bob.Self(), Address: bob.Address()})
	peer := <-told.up
	fmt.Println("alice is connected to", peer.Agent, peer.ID == bob.Self())

	fmt.Println(alice.Send(peer.ID, transport.Sync, []byte("hello")))
	frame := <-heard.frames
	fmt.Println(bytes.Equal(frame.Data, []byte("hello")), frame.From == alice.Self())
	frame.Done()
	// Output:
	// alice is connected to bob true
	// queued
	// true true
}
