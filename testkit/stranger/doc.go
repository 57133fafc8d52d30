// Package stranger is whoever attacks a QUIC server over loopback: from an address of its own, with connections that stop half-way, and with streams of any
// bytes. It uses quic-go alone and nothing of the protocols that are attacked.
package stranger
