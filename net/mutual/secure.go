package mutual

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"time"

	"github.com/quic-go/quic-go"
)

// protocol is the ALPN name of questions and answers.
const protocol = "cowboy-mutual"

// ErrKey reports another side whose key is not the one that was wanted, or is no Ed25519 key.
var ErrKey = errors.New("mutual: the other side has another key")

// Key is an Ed25519 public key.
type Key [ed25519.PublicKeySize]byte

// secure is the TLS configuration of both roles of a protocol. A wanted key is held against the one the other side proves.
func secure(own ed25519.PrivateKey, protocol string, want *Key) (*tls.Config, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), // RFC 5280's "no expiry"
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, own.Public(), own)
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		Certificates:       []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: own}},
		ClientAuth:         tls.RequireAnyClientCert,
		InsecureSkipVerify: true, // the key is held against the one that is wanted, below
		VerifyConnection: func(s tls.ConnectionState) error {
			key, err := proven(s)
			if err == nil && want != nil && key != *want {
				err = ErrKey
			}
			return err
		},
		NextProtos: []string{protocol}, MinVersion: tls.VersionTLS13, SessionTicketsDisabled: true,
	}, nil
}

// proven is the public key the other side proved.
func proven(s tls.ConnectionState) (Key, error) {
	if len(s.PeerCertificates) != 1 {
		return Key{}, ErrKey
	}
	key, ok := s.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
	if !ok || len(key) != ed25519.PublicKeySize {
		return Key{}, ErrKey
	}
	return Key(key), nil
}

// settings are those of QUIC for whoever asks. The window of a connection holds a few frames, so that a stream that is not read blocks no other one.
func settings(streams int64) *quic.Config {
	return &quic.Config{
		HandshakeIdleTimeout: 5 * time.Second, MaxIdleTimeout: 30 * time.Second, MaxIncomingStreams: streams, MaxIncomingUniStreams: -1,
		InitialStreamReceiveWindow: 1 << 20, MaxStreamReceiveWindow: 2 << 20, InitialConnectionReceiveWindow: 4 << 20, MaxConnectionReceiveWindow: 16 << 20,
	}
}

// served are those of a server: a connection has room for a frame, and more while it is busy and there is some.
func served(streams int64) *quic.Config {
	c := settings(streams)
	c.InitialStreamReceiveWindow, c.InitialConnectionReceiveWindow = 512<<10, 1<<20
	return c
}
