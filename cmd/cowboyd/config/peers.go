package config

import (
	"bytes"
	"regexp"
)

var (
	sectionP2P = regexp.MustCompile(`(?m)^\s*\[p2p\]\s*(#.*)?$`)
	noPeers    = regexp.MustCompile(`(?m)^peers\s*=\s*\[\s*\]`)
)

// SetPeers puts peers into a file whose p2p.peers is an empty list, and leaves every other byte as it is. ok is false where there is no such line.
func SetPeers(data []byte, peers []Peer) (next []byte, ok bool) {
	section := sectionP2P.FindIndex(data)
	if section == nil {
		return nil, false
	}
	rest := data[section[1]:]
	end := len(rest)
	if i := bytes.Index(rest, []byte("\n[")); i >= 0 {
		end = i
	}
	at := noPeers.FindIndex(rest[:end])
	if at == nil {
		return nil, false
	}
	next = append(next, data[:section[1]+at[0]]...)
	next = append(next, PeersLine(peers)...)
	return append(next, rest[at[1]:]...), true
}

// PeersLine is the line of a file that names peers.
func PeersLine(peers []Peer) string { return "peers = " + list(peers) }
