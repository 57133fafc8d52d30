package admin

import (
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// sizeEvery is how often the files of a data directory are counted.
const sizeEvery = time.Minute

// Refusals tells how many transactions were not taken, by reason; lanes.Handle's is one.
type Refusals func() map[string]uint64

// Machine adds the numbers of the machine: the disk a data directory is on ("" for a node in memory) and the clock.
func (m *Metrics) Machine(dir string) { m.registry.MustRegister(&machineCollector{dir: dir}) }

// Refuse adds the transactions that were not taken.
func (m *Metrics) Refuse(count Refusals) { m.registry.MustRegister(refusalCollector{count}) }

type refusalCollector struct{ count Refusals }

var descRefused = describe("mempool", "refused_total", "Transactions of clients and peers that were not taken since the start, by reason.", "reason")

// Describe implements prometheus.Collector.
func (c refusalCollector) Describe(to chan<- *prometheus.Desc) { to <- descRefused }

// Collect implements prometheus.Collector.
func (c refusalCollector) Collect(to chan<- prometheus.Metric) {
	for reason, n := range c.count() { // order-free: the registry sorts
		to <- prometheus.MustNewConstMetric(descRefused, prometheus.CounterValue, float64(n), reason)
	}
}

// machineCollector looks at disk and clock at every scrape, and at the sizes of files once a minute.
type machineCollector struct {
	dir string

	mu      sync.Mutex
	counted time.Time
	sizes   map[string]float64
}

var (
	descFree   = describe("disk", "free_bytes", "Free space on the disk of the data directory.")
	descSize   = describe("disk", "data_bytes", "Size of what the data directory holds, by its first name in it.", "of")
	descOffset = describe("clock", "offset_seconds", "What the system's time daemon last found this machine's clock to be off by.")
	descSynced = describe("clock", "synchronized", "1 while the system says that its clock is kept by a time daemon.")
)

// Describe implements prometheus.Collector.
func (c *machineCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descFree, descSize, descOffset, descSynced} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *machineCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if offset, synced, ok := clockState(); ok {
		gauge(descOffset, offset.Seconds())
		gauge(descSynced, truth(synced))
	}
	if c.dir == "" {
		return
	}
	if free, err := Free(c.dir); err == nil {
		gauge(descFree, float64(free))
	}
	for name, n := range c.size(time.Now()) { // order-free: the registry sorts
		gauge(descSize, n, name)
	}
}

// Free is how many bytes the disk of a directory has left for this process.
func Free(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// firstNames bounds the names of a data directory that are told.
const firstNames = 32

func (c *machineCollector) size(now time.Time) map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sizes != nil && now.Sub(c.counted) < sizeEvery {
		return c.sizes
	}
	c.sizes, c.counted = map[string]float64{}, now
	_ = filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error { // files come and go meanwhile
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		name, err := filepath.Rel(c.dir, path)
		if err != nil {
			return nil
		}
		name, _, _ = strings.Cut(name, string(filepath.Separator))
		if _, known := c.sizes[name]; !known && len(c.sizes) >= firstNames {
			name = "other"
		}
		c.sizes[name] += float64(info.Size())
		return nil
	})
	return c.sizes
}
