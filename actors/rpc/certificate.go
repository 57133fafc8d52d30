package rpc

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// lookAgain is how long a certificate is served before its files are looked at again.
const lookAgain = time.Second

// CertificateError says what is wrong with the files of a certificate and its key.
type CertificateError struct {
	File string // that the error is about
	Err  error
}

// Error implements error.
func (e *CertificateError) Error() string {
	if errors.Is(e.Err, os.ErrNotExist) {
		return fmt.Sprintf("there is no %s", e.File)
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

// Unwrap gives the cause.
func (e *CertificateError) Unwrap() error { return e.Err }

// Certificate is a server's certificate with its key, of two PEM files, which are read again when one of them has changed. While the new ones cannot be
// used the old ones are.
type Certificate struct {
	file, key string
	now       func() time.Time
	told      func(expires time.Time, err error)

	mu      sync.Mutex
	current *tls.Certificate
	seen    [2]stamp // of the files when they were read last
	looked  time.Time
}

// stamp tells one content of a file from another.
type stamp struct {
	size     int64
	modified time.Time
}

// OpenCertificate reads the certificate, with the chain that leads to it, and the key. told is called whenever they were read again, or could not be. An error
// is a *CertificateError.
func OpenCertificate(file, key string, told func(expires time.Time, err error)) (*Certificate, error) {
	c := &Certificate{file: file, key: key, now: time.Now, told: told}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looked = c.now()
	c.seen = c.stamps()
	return c, c.read()
}

func (c *Certificate) stamps() (list [2]stamp) {
	for i, path := range []string{c.file, c.key} {
		if info, err := os.Stat(path); err == nil {
			list[i] = stamp{info.Size(), info.ModTime()}
		}
	}
	return list
}

// read takes what the files hold.
func (c *Certificate) read() error {
	certificate, err := os.ReadFile(c.file)
	if err != nil {
		return &CertificateError{c.file, err}
	}
	key, err := os.ReadFile(c.key)
	if err != nil {
		return &CertificateError{c.key, err}
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return &CertificateError{c.file + ", " + c.key, err}
	}
	c.current = &pair
	return nil
}

// Reload reads the files again.
func (c *Certificate) Reload() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reload()
}

func (c *Certificate) reload() {
	c.looked, c.seen = c.now(), c.stamps()
	err := c.read()
	if c.told != nil {
		c.told(c.current.Leaf.NotAfter, err)
	}
}

// Expires is when the certificate ends.
func (c *Certificate) Expires() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current.Leaf.NotAfter
}

// get is tls.Config.GetCertificate.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookAgain {
		c.looked = now
		if c.stamps() != c.seen {
			c.reload()
		}
	}
	return c.current, nil
}

// config is that of a server.
func (c *Certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}}
}
