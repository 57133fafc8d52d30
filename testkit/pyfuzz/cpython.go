package pyfuzz

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

//go:embed worker.py
var workerSource string

// CPython is a worker process that runs programs on CPython 3.11.
type CPython struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// ErrCPython says that there is no usable CPython 3.11 on this machine.
var ErrCPython = errors.New("pyfuzz: no CPython 3.11")

// StartCPython starts a worker with the interpreter called name, which hashes strings by a seed.
func StartCPython(name, hashSeed string) (*CPython, error) {
	cmd := exec.Command(name, "-W", "ignore", "-c", workerSource)
	cmd.Env = append(cmd.Environ(), "PYTHONHASHSEED="+hashSeed, "PYTHONIOENCODING=utf-8:surrogatepass")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCPython, err)
	}
	c := &CPython{cmd, in, bufio.NewReaderSize(out, 1<<16)}
	if hello, err := c.Run("import sys\nprint(sys.version_info[:2])\n", false); err != nil || hello != "(3, 11)\n" {
		_ = c.Close()
		return nil, fmt.Errorf("%w: %s answers %q %v", ErrCPython, name, hello, err)
	}
	return c, nil
}

// flags of a request to the worker
const (
	fullTraceback = 1
	otherMachine  = 2 // what hashes by its address gets another hash, NaNs have the other sign
)

// Run runs a program and returns what it printed, followed by the exception that ended it, if one did: one line, or the
// traceback. A program that takes too long ends in "timeout".
func (c *CPython) Run(source string, traceback bool) (string, error) {
	flags := byte(0)
	if traceback {
		flags = fullTraceback
	}
	return c.run(source, flags)
}

func (c *CPython) run(source string, flags byte) (string, error) {
	var head [5]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(source)))
	head[4] = flags
	if _, err := c.in.Write(append(head[:], source...)); err != nil {
		return "", err
	}
	if _, err := io.ReadFull(c.out, head[:4]); err != nil {
		return "", err
	}
	out := make([]byte, binary.BigEndian.Uint32(head[:4]))
	_, err := io.ReadFull(c.out, out)
	return string(out), err
}

// Close ends the worker.
func (c *CPython) Close() error {
	_ = c.in.Close()
	return c.cmd.Wait()
}
