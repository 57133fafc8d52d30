package admin

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/rs/zerolog"
)

// maxLevels bounds the subsystems with a level of their own.
const maxLevels = 256

// ErrLevels reports more levels than are kept.
var ErrLevels = errors.New("admin: too many subsystems have a level of their own")

// Levels are the log levels of a running node: one for all, and one for every subsystem that was given its own. It may be
// used from any goroutine.
type Levels struct {
	mu  sync.RWMutex
	all zerolog.Level
	own map[string]zerolog.Level // path from the root → level
}

// NewLevels starts with one level for all.
func NewLevels(all zerolog.Level) *Levels {
	return &Levels{all: all, own: map[string]zerolog.Level{}}
}

// Logger gives a subsystem's logger, whose level is looked up at every line.
func (l *Levels) Logger(to zerolog.Logger, path string) zerolog.Logger {
	return to.Level(zerolog.TraceLevel).Hook(filter{l, path})
}

// Set changes the level of a subsystem and everything under it; the empty path is the node.
func (l *Levels) Set(path string, level zerolog.Level) error {
	path = below(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	if path == "" {
		l.all = level
		return nil
	}
	if _, ok := l.own[path]; !ok && len(l.own) == maxLevels {
		return ErrLevels
	}
	l.own[path] = level
	return nil
}

// Of is the level of a subsystem: its own, or the one of the nearest group above it that has one.
func (l *Levels) Of(path string) zerolog.Level {
	path = below(path)
	l.mu.RLock()
	defer l.mu.RUnlock()
	for path != "" {
		if level, ok := l.own[path]; ok {
			return level
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return l.all
}

// below is a path without its root, which is the node itself.
func below(path string) string {
	if path == "node" {
		return ""
	}
	return strings.TrimPrefix(path, "node/")
}

// Text lists the levels, one on a line.
func (l *Levels) Text() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	paths := make([]string, 0, len(l.own))
	for path := range l.own {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	var b strings.Builder
	fmt.Fprintf(&b, "all %v\n", l.all)
	for _, path := range paths {
		fmt.Fprintf(&b, "%s %v\n", path, l.own[path])
	}
	return b.String()
}

type filter struct {
	levels *Levels
	path   string
}

// Run drops a line below its subsystem's level.
func (f filter) Run(e *zerolog.Event, level zerolog.Level, _ string) {
	if level < f.levels.Of(f.path) {
		e.Discard()
	}
}
