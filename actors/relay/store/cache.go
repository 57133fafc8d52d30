package store

import (
	"container/list"
	"sync"
)

// cache remembers what was read of files, the latest of it, as much as its bound is in bytes. It is safe for many goroutines.
type cache struct {
	most int

	mu    sync.Mutex
	bytes int
	order list.List // of *cached, the latest first
	at    map[string]*list.Element
}

type cached struct {
	name  string
	value any
	size  int
}

func (c *cache) get(name string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.at[name]
	if e == nil {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).value, true
}

// put remembers a value that nobody changes, in the place of the one before.
func (c *cache) put(name string, value any, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.at[name])
	if size > c.most {
		return
	}
	if c.at == nil {
		c.at = map[string]*list.Element{}
	}
	c.at[name] = c.order.PushFront(&cached{name, value, size})
	for c.bytes += size; c.bytes > c.most; {
		c.drop(c.order.Back())
	}
}

func (c *cache) remove(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.at[name])
}

// drop forgets one. The lock is held.
func (c *cache) drop(e *list.Element) {
	if e == nil {
		return
	}
	one := c.order.Remove(e).(*cached)
	c.bytes -= one.size
	delete(c.at, one.name)
}
