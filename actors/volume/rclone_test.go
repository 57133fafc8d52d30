package volume

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

var s3Server = flag.String("s3-server", "", "a program for BenchmarkRclone: minio or versitygw")

const s3Key, s3Secret = "bench-access", "bench-secret-0123"

// peers are rclone and an S3 server over a directory of this machine, which only this machine reaches.
type peers struct {
	b      *testing.B
	env    []string
	server *exec.Cmd
}

func newPeers(b *testing.B, program string) *peers {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	address := listener.Addr().String()
	must(b, listener.Close())
	args := map[string][]string{
		"minio":     {"server", "--quiet", "--address", address, b.TempDir()},
		"versitygw": {"--access", s3Key, "--secret", s3Secret, "--port", address, "--quiet", "posix", "--sidecar", b.TempDir(), b.TempDir()},
	}[filepath.Base(program)]
	p := &peers{b: b, server: exec.Command(program, args...)}
	p.server.Env = append(os.Environ(), "MINIO_ROOT_USER="+s3Key, "MINIO_ROOT_PASSWORD="+s3Secret)
	p.env = []string{ // and nothing of the machine's, which may be about other servers
		"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "RCLONE_CONFIG=" + filepath.Join(b.TempDir(), "none"), "RCLONE_CONFIG_PEER_TYPE=s3",
		"RCLONE_CONFIG_PEER_PROVIDER=Minio", "RCLONE_CONFIG_PEER_ENDPOINT=http://" + address, "RCLONE_CONFIG_PEER_ACCESS_KEY_ID=" + s3Key,
		"RCLONE_CONFIG_PEER_SECRET_ACCESS_KEY=" + s3Secret, "RCLONE_CONFIG_PEER_REGION=us-east-1",
	}
	must(b, p.server.Start())
	b.Cleanup(func() {
		_ = p.server.Process.Kill()
		_ = p.server.Wait()
	})
	limit := time.Now().Add(time.Minute)
	for {
		if _, _, err := p.rclone("mkdir", "peer:bench"); err == nil {
			return p
		} else if time.Now().After(limit) {
			b.Fatal(err)
		}
	}
}

// rclone runs it, and gives how long it took and the processor time that it and the server had.
func (p *peers) rclone(args ...string) (took, processor time.Duration, err error) {
	before, began := p.used(), time.Now()
	cmd := exec.Command("rclone", append([]string{"--retries", "1", "--low-level-retries", "1"}, args...)...)
	cmd.Env = p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, out)
	}
	return time.Since(began), p.used() - before + cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// used is the processor time that the server has had.
func (p *peers) used() time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.server.Process.Pid))
	must(p.b, err)
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	var user, system int64
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system) // in hundredths of a second
	must(p.b, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// sumOf is a file's hash.
func sumOf(b *testing.B, name string) [sha256.Size]byte {
	f, err := os.Open(name)
	must(b, err)
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	must(b, err)
	return [sha256.Size]byte(hash.Sum(nil))
}

// BenchmarkRclone has the same file put and got in turns: into a private volume of 4 + 2 over six relays, and by rclone into a bucket of a server
// that keeps one copy as it came. The metrics are milliseconds, processor time of a byte, and their time over ours, so that above 1 a volume is better.
// rclone's time has its start in it.
func BenchmarkRclone(b *testing.B) {
	if *s3Server == "" {
		b.Skip("it wants -args -s3-server PROGRAM, and rclone beside")
	}
	p, w, benched := newPeers(b, *s3Server), benchWorld(b), benchedBytes()
	c, id, dir := w.client(ann), w.create("docs", true, 4, 2), b.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	sums := map[string][]float64{}
	note := func(what string, took, processor time.Duration) {
		sums[what+"-ms"] = append(sums[what+"-ms"], float64(took)/1e6)
		sums[what+"-cpu-ns/B"] = append(sums[what+"-cpu-ns/B"], float64(processor)/float64(benched))
	}
	ours := func(what string, do func(ctx context.Context) error) {
		before, began := bench.Processor(), time.Now()
		must(b, do(b.Context()))
		note(what, time.Since(began), bench.Processor()-before)
	}
	theirs := func(what string, args ...string) {
		took, processor, err := p.rclone(args...)
		must(b, err)
		note(what, took, processor)
	}
	turns := func(i int, one, other func()) { // in turns also of who is first: memory that somebody just gave back is cheaper than other memory
		if i%2 == 1 {
			one, other = other, one
		}
		one()
		other()
	}
	back := func() {
		if sumOf(b, to) != sumOf(b, from) {
			b.Fatal("another file comes back")
		}
		must(b, os.Remove(to))
	}
	for i := 0; b.Loop(); i++ {
		must(b, os.WriteFile(from, random(uint64(i), benched), 0o600))
		turns(i, func() {
			ours("put", func(ctx context.Context) error {
				open := func() (io.ReadCloser, error) { return os.Open(from) }
				return c.Apply(ctx, id, []Change{{Path: "a", Open: open, Size: uint64(benched)}})
			})
		}, func() { theirs("rclone-put", "copyto", from, "peer:bench/a") })
		w.confirmed(id) // what follows a commit is over
		turns(i, func() {
			ours("get", func(ctx context.Context) error {
				s, err := c.Open(ctx, id)
				if err != nil {
					return err
				}
				out, err := os.Create(to)
				if err != nil {
					return err
				}
				defer out.Close()
				return s.Save(ctx, "a", out)
			})
			back()
		}, func() {
			theirs("rclone-get", "copyto", "peer:bench/a", to)
			back()
		})
	}
	for what, list := range sums {
		b.ReportMetric(mean(list), what)
	}
	for _, what := range []string{"put", "get"} {
		b.ReportMetric(mean(sums["rclone-"+what+"-ms"])/mean(sums[what+"-ms"]), what+"-ratio")
	}
}

// mean is the geometric mean.
func mean(list []float64) float64 {
	sum := 0.0
	for _, one := range list {
		sum += math.Log(max(one, 1e-9))
	}
	return math.Exp(sum / float64(len(list)))
}
