package ports

import (
	"net"
	"testing"
)

// TestReserve: no port is given twice while it is held, all of a run can be bound at once, and a cell of which somebody uses a port is passed over.
func TestReserve(t *testing.T) {
	held := map[int]bool{}
	for range 20 {
		r, err := Reserve(3)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		for i := range 3 {
			if port := r.First + i; held[port] || port >= 32_768 {
				t.Errorf("port %d was given before or is the kernel's", port)
			}
			held[r.First+i] = true
			l, err := net.Listen("tcp", at(r.First+i))
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
		}
	}
	r, err := Reserve(2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claim(r.First-1, 1); err == nil {
		t.Error("a held cell was claimed")
	}
	c, err := net.ListenPacket("udp", at(r.First+1))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r.Release()
	if _, err := claim(r.First-1, 2); err == nil {
		t.Error("a run was given of which somebody uses a port")
	}
	for _, n := range []int{0, size} {
		if _, err := Reserve(n); err == nil {
			t.Errorf("%d ports were given", n)
		}
	}
}
