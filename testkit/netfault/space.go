package netfault

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
)

// spaces are network namespaces joined by a Router.
type spaces struct {
	names  []string
	router *Router
}

// subnet is the wires' own; address 1 is this machine, 2 the first node.
var subnet = netip.AddrFrom4([4]byte{10, 177, 66, 1})

// address is the IP address of port i.
func address(i int) string {
	a := subnet.As4()
	a[3] += byte(i)
	return netip.AddrFrom4(a).String()
}

// ErrDenied: this machine does not let the process make namespaces or devices.
var ErrDenied = errors.New("no right to make network namespaces")

// makeSpaces makes n namespaces. An error leaves nothing behind.
func makeSpaces(n int, seed uint64) (s *spaces, err error) {
	if os.Geteuid() != 0 {
		return nil, fmt.Errorf("%w: run it as root", ErrDenied)
	}
	s = &spaces{}
	var devices []*os.File
	defer func() {
		if err != nil {
			for _, d := range devices {
				_ = d.Close()
			}
			s.close()
			err = fmt.Errorf("%w: %w", ErrDenied, err)
		}
	}()
	for i := range n + 1 {
		device := fmt.Sprintf("cbnf%dx%d", os.Getpid()%100_000, i)
		d, err := tun(device)
		if err != nil {
			return s, err
		}
		devices = append(devices, d)
		if i == 0 {
			err = script("ip addr add %s/24 dev %s; ip link set %s up", address(0), device, device)
		} else {
			name := fmt.Sprintf("cowboy-%d-%d", os.Getpid(), i)
			if err = script("ip netns add %s", name); err == nil {
				s.names = append(s.names, name)
				err = script("ip link set %s netns %s; ip -n %s link set lo up; ip -n %s addr add %s/24 dev %s; ip -n %s link set %s up",
					device, name, name, name, address(i), device, name, device)
			}
		}
		if err != nil {
			return s, err
		}
	}
	s.router = newRouter(devices, subnet, seed)
	return s, nil
}

// script runs commands of ip(8), separated by semicolons.
func script(format string, args ...any) error {
	for _, line := range strings.Split(fmt.Sprintf(format, args...), ";") {
		words := strings.Fields(line)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %s", line, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

// close removes the namespaces; their devices go with the router.
func (s *spaces) close() {
	if s.router != nil {
		s.router.close()
	}
	for _, name := range s.names {
		_ = script("ip netns del %s", name)
	}
}
