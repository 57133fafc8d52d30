package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/pelletier/go-toml/v2"
)

// ErrConfig is wrapped by every complaint about what is in a configuration.
var ErrConfig = errors.New("bad configuration")

// maxConfig bounds a configuration, in bytes.
const maxConfig = 1 << 20

// ReadConfig reads a file of TOML into a value, and has it checked. Unknown names are errors.
func ReadConfig(path string, into any, check func() error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(data) > maxConfig {
		return fmt.Errorf("%w: %s has %d bytes", ErrConfig, path, len(data))
	}
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err = d.Decode(into)
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		err = errors.New(strict.String())
	}
	if err == nil {
		err = check()
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrConfig, path, err)
	}
	return nil
}

// Examination tells of what a program needs, one line for each.
type Examination struct {
	Out    io.Writer
	failed int
}

// Say tells whether something is as it should be.
func (e *Examination) Say(what string, err error) {
	if err != nil {
		e.failed++
		fmt.Fprintf(e.Out, "BAD  %s: %v\n", what, err)
		return
	}
	fmt.Fprintf(e.Out, "ok   %s\n", what)
}

// End is an error if something was not.
func (e *Examination) End() error {
	if e.failed > 0 {
		return fmt.Errorf("%d things are not as they should be", e.failed)
	}
	return nil
}

// Ask asks the program that listens at a socket, and copies the first 1 MiB of what it answers. name is the program's.
func Ask(ctx context.Context, socket, name, method, path string, to io.Writer) error {
	c := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+name+path, nil)
	if err != nil {
		return err
	}
	reply, err := c.Do(request)
	if err != nil {
		return fmt.Errorf("no %s is up at %s: %w", name, socket, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode >= 300 {
		return fmt.Errorf("the %s answers %s", name, reply.Status)
	}
	_, err = io.Copy(to, io.LimitReader(reply.Body, 1<<20))
	return err
}
