// Package socket is the part of RFC 6455 a node needs to send messages to WebSocket clients: the opening handshake, frames, and their bounds.
//
// A server sends text; what a client may send is control frames: pings, pongs and its farewell. A frame that is not masked as a client's must be, is
// fragmented, reserved or longer than the reader's bound ends the connection with the close code the RFC names. Nothing is allocated beyond that bound.
//
// Deliberately absent: extensions, subprotocols, fragmentation, and a client beyond reading frames, which tools and tests need.
//
// Spec: RFC 6455 §4.2, §5, §7.4; node-rpc-cli §1 (WebSocket is free design space).
package socket
