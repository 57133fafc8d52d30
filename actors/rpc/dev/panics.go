package dev

import (
	"slices"
	"strings"
	"sync"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Panics makes subsystems fail at their next command. Inject goes into supervision.Config.
type Panics struct {
	mu    sync.Mutex
	armed []string
}

// reason is what an armed subsystem panics with.
const reason = "a developer asked for this panic"

// Inject implements supervision.Config.Inject.
func (p *Panics) Inject(subsystem string, _ any) {
	p.mu.Lock()
	i := slices.Index(p.armed, subsystem)
	if i >= 0 {
		p.armed = slices.Delete(p.armed, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		panic(reason)
	}
}

// Armed lists the subsystems that did not meet a command yet.
func (p *Panics) Armed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.armed)
}

// alike names the subsystems a wrong path may have meant: those that hold it, or share their last name with it.
func alike(path string, known []string) string {
	last := path[strings.LastIndexByte(path, '/')+1:]
	var near []string
	for _, name := range known {
		if last != "" && (strings.Contains(name, path) || strings.Contains(name, last)) {
			near = append(near, name)
		}
	}
	if len(near) == 0 || len(near) > 5 {
		return "`cowboy tree` lists them"
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}

// arm marks the subsystem of a path, with or without the root's name; it gives false and all paths when there is none.
func (p *Panics) arm(tree supervision.Status, path string) (known []string, ok bool) {
	var walk func(s supervision.Status)
	walk = func(s supervision.Status) {
		if len(s.Children) == 0 {
			known = append(known, s.Path)
		}
		for _, child := range s.Children {
			walk(child)
		}
	}
	walk(tree)
	for _, name := range known {
		if name != path && strings.TrimPrefix(name, tree.Name+"/") != path {
			continue
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if !slices.Contains(p.armed, name) {
			p.armed = append(p.armed, name)
		}
		return nil, true
	}
	return known, false
}
