package script

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// sought are values that are searched for, in several forms.
type sought struct {
	mu    sync.Mutex
	forms [][]byte
}

// add seeks one value more.
func (s *sought) add(raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forms = append(s.forms, raw, []byte(hex.EncodeToString(raw)), []byte(strings.ToUpper(hex.EncodeToString(raw))))
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, shift), raw...))
		s.forms = append(s.forms, []byte(text[4:len(text)-4]))
	}
}

// in counts the places where they are.
func (s *sought) in(data []byte) (found int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, form := range s.forms {
		found += bytes.Count(data, form)
	}
	return found
}

// listen captures what goes over the loopback, and counts the packets that have one of the values in them; ok is false for who may not.
func listen(t *testing.T, values ...*sought) (leaked, packets *atomic.Int64, ok bool) {
	leaked, packets = new(atomic.Int64), new(atomic.Int64)
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		return leaked, packets, false
	}
	const all = unix.ETH_P_ALL<<8&0xff00 | unix.ETH_P_ALL>>8
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, all)
	if err != nil {
		return leaked, packets, false
	}
	file := os.NewFile(uintptr(fd), "lo")
	if err := unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: lo.Index}); err != nil {
		_ = file.Close()
		return leaked, packets, false
	}
	_ = unix.SetNonblock(fd, false)
	_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	stop, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-ended; _ = file.Close() })
	go func() {
		defer close(ended)
		buffer := make([]byte, 128<<10)
		for {
			select {
			case <-stop:
				return
			default:
			}
			n, _, err := unix.Recvfrom(fd, buffer, 0)
			if err != nil {
				continue
			}
			packets.Add(1)
			for _, v := range values {
				leaked.Add(int64(v.in(buffer[:n])))
			}
		}
	}()
	return leaked, packets, true
}

// searched fails where a file below a directory has one of the values in it, and gives how many there are.
func searched(t *testing.T, dir string, values ...*sought) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // it went meanwhile, or is a socket
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		files++
		for _, v := range values {
			if v.in(text) > 0 {
				t.Errorf("%s has a secret in it", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// storyMark is in the environment of every program: a search of its memory that does not find it has looked nowhere.
const storyMark = "STORY_MARK=aa0cf7b1e2"

// remembered counts the places in the memory of a process that runs, which is what an image of it after a crash would have, where one of the values is. ok is
// false for who may not read it.
func remembered(t *testing.T, c *exec.Cmd, values ...*sought) (found int, ok bool) {
	t.Helper()
	at := fmt.Sprintf("/proc/%d/", c.Process.Pid)
	list, err := os.ReadFile(at + "maps")
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open(at + "mem")
	if err != nil {
		return 0, false
	}
	defer memory.Close()
	buffer, marked := make([]byte, 4<<20), false
	for line := range strings.Lines(string(list)) {
		var from, to uint64
		if _, err := fmt.Sscanf(line, "%x-%x rw", &from, &to); err != nil {
			continue
		}
		for overlap := uint64(128); from < to; { // no form is as long
			n, err := memory.ReadAt(buffer[:min(to-from, uint64(len(buffer)))], int64(from))
			marked = marked || bytes.Contains(buffer[:n], []byte(storyMark))
			for _, v := range values {
				found += v.in(buffer[:n])
			}
			if err != nil || uint64(n) <= overlap {
				break
			}
			from += uint64(n)
			if from < to {
				from -= overlap
			}
		}
	}
	if !marked {
		t.Errorf("the memory of %v was not found", c.Args)
	}
	return found, true
}

// forgets fails where a program that runs has one of the values in its memory.
func forgets(t *testing.T, what string, c *exec.Cmd, values ...*sought) {
	t.Helper()
	found, ok := remembered(t, c, values...)
	if !ok {
		t.Log("the memory of other processes is not for this user")
		return
	}
	if found > 0 {
		t.Errorf("the memory of %s has secrets in it %d times", what, found)
	}
}
