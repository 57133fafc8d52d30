package work

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// network is a network namespace with nothing in it but itself, in which sockets listen at the addresses.
func network(addresses []string) (space *os.File, list []net.Listener, err error) {
	if os.Geteuid() != 0 {
		return nil, nil, fail(Refused, "a runner that is not root gives containers no network")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with this function, and with it its network
		space, list, err = isolated(addresses)
	}()
	<-done
	return space, list, err
}

// isolated moves this thread into a network of its own and listens there.
func isolated(addresses []string) (space *os.File, list []net.Listener, err error) {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return nil, nil, fmt.Errorf("a network for a container: %w", err)
	}
	if err := raise("lo"); err != nil {
		return nil, nil, fmt.Errorf("the loopback of a container: %w", err)
	}
	defer func() {
		if err == nil {
			return
		}
		for _, l := range list {
			err = errors.Join(err, l.Close())
		}
	}()
	for _, at := range addresses { // each an address and a number, for which nobody has to be asked: the socket is made by this thread
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", at)
		if err != nil {
			return nil, list, err
		}
		list = append(list, l)
	}
	space, err = os.Open("/proc/thread-self/ns/net")
	return space, list, err
}

// raise brings an interface of this thread's network up.
func raise(name string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	request, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}
