package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// session is one run of this command: each command of the table runs once in it.
type session struct {
	peers   string
	limit   time.Duration
	outputs map[string]output // by folder and command
}

// output is what a command printed, or why it failed.
type output struct {
	text string
	err  error
}

// numbers are those of one reading, under names where its line has a group "name", else in the order of its lines.
type numbers struct {
	list  []float64
	named map[string]float64
}

// measurement is a row's numbers, and the peer's if the peer could be asked.
type measurement struct {
	here, peer numbers
	compared   bool
}

// measure runs what a row needs. A peer whose program is not at hand is left out.
func (s session) measure(ctx context.Context, r row) (measurement, error) {
	var m measurement
	var err error
	if m.here, err = s.read(ctx, r.here); err != nil {
		return m, err
	}
	if r.peer.command == "" || !s.atHand(r.peer) {
		if r.mean {
			return m, fmt.Errorf("%s is not at hand", r.against)
		}
		return m, nil
	}
	m.peer, err = s.read(ctx, r.peer)
	m.compared = err == nil
	return m, err
}

// atHand says whether a peer can be asked: its folder is there, and so is its program.
func (s session) atHand(r reading) bool {
	if r.folder != "" {
		info, err := os.Stat(filepath.Join(s.peers, r.folder))
		return s.peers != "" && err == nil && info.IsDir()
	}
	_, words := split(r.command)
	_, err := exec.LookPath(words[0])
	return err == nil
}

// read runs a reading's command unless the session has its output, and finds the numbers.
func (s session) read(ctx context.Context, r reading) (numbers, error) {
	key := r.folder + "\x00" + r.command
	out, ran := s.outputs[key]
	if !ran {
		fmt.Fprintln(os.Stderr, r.folder, r.command)
		out.text, out.err = s.run(ctx, r)
		s.outputs[key] = out
	}
	if out.err != nil {
		return numbers{}, out.err
	}
	return r.find(out.text)
}

// split takes the settings of the environment off a command.
func split(command string) (env, words []string) {
	words = strings.Split(command, " ")
	for len(words) > 1 && strings.Contains(words[0], "=") {
		env, words = append(env, words[0]), words[1:]
	}
	return env, words
}

func (s session) run(ctx context.Context, r reading) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	env, words := split(r.command)
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Env = append(os.Environ(), env...)
	c.WaitDelay = 10 * time.Second
	if r.folder != "" {
		c.Dir = filepath.Join(s.peers, r.folder)
	}
	var said bytes.Buffer
	c.Stderr = &said
	text, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", r.command, err, said.String(), tail(string(text)))
	}
	return string(text) + said.String(), nil
}

// tail is the end of a long text.
func tail(text string) string {
	const most = 2_000
	return text[max(len(text)-most, 0):]
}

// find reads the numbers in what a command printed.
func (r reading) find(text string) (numbers, error) {
	n := numbers{named: map[string]float64{}}
	for _, line := range r.lines {
		form, err := regexp.Compile(line)
		if err != nil {
			return n, err
		}
		all, named := []float64{}, map[string][]float64{}
		at := form.SubexpIndex("name")
		for _, match := range form.FindAllStringSubmatch(text, -1) {
			x, err := strconv.ParseFloat(match[len(match)-1], 64)
			if err != nil {
				return n, err
			}
			all = append(all, r.shown(x))
			if at >= 0 {
				named[match[at]] = append(named[match[at]], r.shown(x))
			}
		}
		if len(all) == 0 {
			return n, fmt.Errorf("nothing that it printed matches %s:\n%s", line, tail(text))
		}
		n.list = append(n.list, median(all))
		for name, list := range named {
			n.named[name] = median(list)
		}
	}
	return n, nil
}

// shown is a number that was read as the page shows it.
func (r reading) shown(x float64) float64 {
	if r.scale != 0 {
		x *= r.scale
	}
	if r.inverse {
		x = 1 / x
	}
	return x
}

// median is the middle of a list, of its two middle values the lower.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)-1)/2]
}

// spread is the geometric mean of the times here over the peer's, of all names that both have and without does not match, with the least and the greatest.
func spread(here, peer map[string]float64, without string) (mean float64, least, most string, err error) {
	left, err := regexp.Compile(without)
	if err != nil {
		return 0, "", "", err
	}
	sum, count := 0.0, 0
	low, high := math.Inf(1), 0.0
	for name, x := range here {
		y, both := peer[name]
		if !both || without != "" && left.MatchString(name) {
			continue
		}
		ratio := x / y
		sum, count = sum+math.Log(ratio), count+1
		if ratio < low {
			low, least = ratio, fmt.Sprintf("%.2f (%s)", ratio, name)
		}
		if ratio > high {
			high, most = ratio, fmt.Sprintf("%.2f (%s)", ratio, name)
		}
	}
	if count == 0 {
		return 0, "", "", fmt.Errorf("no name is measured on both sides")
	}
	return math.Exp(sum / float64(count)), least, most, nil
}

// machine names the machine the session runs on, and how busy others keep it when the session begins.
func machine() string {
	model := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if match := regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`).FindSubmatch(text); match != nil {
			model = string(match[1])
		}
	}
	name := fmt.Sprintf("%d × %s, %s", runtime.NumCPU(), model, strings.Replace(runtime.Version(), "go", "Go ", 1))
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ := strings.Cut(string(text), " ")
		name += ", load " + load
	}
	return name
}
