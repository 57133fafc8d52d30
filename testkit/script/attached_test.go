package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// mountable skips where this machine mounts nothing by FUSE.
func mountable(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/dev/fuse"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no /dev/fuse here: volumes are mounted nowhere")
	}
	if _, err := exec.LookPath("fusermount3"); err != nil {
		t.Skip("fusermount3 is not installed: apt install fuse3")
	}
}

// capitals is an executor that writes a file of its volume anew, in capitals.
const capitals = `#!/bin/sh
at=$(sed 's/.*docs":"\([^"]*\)".*/\1/')
tr a-z A-Z < "$at/work/in.txt" > "$at/work/out.txt" || { echo '{"error":"the volume is not there"}'; exit 0; }
echo '{"data":"ZG9uZQ=="}'
`

// opened lets programs that are other users come to the story's folder.
func (s *shelves) opened() {
	s.t.Helper()
	for at := s.dir; at != "/"; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode()&1 == 0 {
			if err := os.Chmod(at, info.Mode()|1); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// mounter starts a runner that mounts volumes for the program of capitals, and gives its address and the program's hash.
func (s *shelves) mounter() (runner, hash string) {
	s.t.Helper()
	s.write("capitals", capitals)
	hash = digest.Blake3([]byte(capitals)).Hex()
	runner = strings.TrimPrefix(strings.TrimSpace(s.run("cowboy-runner init --data-dir runner --rpc-url "+s.url)), "runner ")
	s.write("runner/config.toml", fmt.Sprintf("[runner]\nrpc = %q\nchain_id = 1\npoll = \"100ms\"\n\n[[place]]\ncapability = \"custom\"\ncount = 1\n\n"+
		"[volumes]\nfolder = %q\n\n[[executor]]\nhash = \"0x%s\"\npath = %q\n", s.url, filepath.Join(s.dir, "mounts"), hash, filepath.Join(s.dir, "capitals")))
	s.write("declaration.json", fmt.Sprintf(`{"rate_card": {"compute_second": 1000, "max_job_value": 10000000000},
		"capabilities": {"job_types": ["custom_0x%s"], "max_concurrent_jobs": 1, "volume_mounts": true}}`, hash))
	s.fund(runner, 10_200)
	s.run("cowboy runner register --private-key runner/runner.pem --declaration declaration.json --stake 10000 --wait")
	s.begin("cowboy-runner start --data-dir runner")
	s.until("the runner is healthy", func() bool { return strings.Contains(s.run("cowboy runner get --address "+runner), "Health: Healthy") })
	return runner, hash
}

// shouts has a job write what is in work/in.txt of a volume in capitals, and waits until it is over. secrets are those that the job names.
func (s *shelves) shouts(runner, hash, volume string, secrets ...string) {
	s.t.Helper()
	named, err := json.Marshal(append([]string{}, secrets...))
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("job.json", fmt.Sprintf(`{"job_type": {"Custom": {"executor_hash": "0x%s", "params": "0x"}}, "verification": {"mode": "none"}, "secrets": %s,
		"volume_attachments": [{"volume_name": %q, "access_mode": "RW", "path_prefix": "work", "max_bytes": 100000, "mount": true, "sync_interval": 5}],
		"bounds": {"max_wall_time_seconds": 60, "max_retries": 0}, "max_price": 1000000000, "timeout_blocks": 1000}`, hash, named, volume))
	before := s.volume(volume).ManifestRoot
	id := regexp.MustCompile(`Returned: (0x[0-9a-f]{64})`).FindStringSubmatch(s.run("cowboy job submit --job-spec job.json --wait"))[1]
	s.until("the job is over", func() bool {
		var open wire.RunnerJobs
		var job wire.Job
		return s.read("/runner/"+runner+"/jobs", &open) && len(open.Jobs) == 0 && s.read("/job/"+id, &job) && job.Revealed == 1
	})
	if s.volume(volume).ManifestRoot == before {
		s.t.Fatal("the job wrote nothing")
	}
}

// A job has a volume of its submitter's as a folder: the program reads a file in it and writes another, which is committed by the job's own token when the job
// ends, and is read back by its owner. A volume as a folder of the owner's own does the same until it is taken away.
//
// Spec: storage-cbfs §2.5 (VolumeAttachment), §3.5; runner-marketplace §2.2.
func TestVolumesOfJobs(t *testing.T) {
	t.Parallel()
	mountable(t)
	s := newShelves(t, 4)
	s.opened()
	wallet := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(s.run("cowboy wallet address"))
	s.run("cowboy dev balance " + wallet + " 100000")
	s.run("cowboy volume create --name docs --data 2 --parity 2 --coins 1100 --wait")
	s.write("in.txt", "what is shouted\n")
	s.run("cowboy volume put docs in.txt work/in.txt")
	s.confirmed("docs")

	runner, hash := s.mounter()
	s.shouts(runner, hash, "docs")
	s.gives("docs work/out.txt", "WHAT IS SHOUTED\n")
	if left, err := filepath.Glob(filepath.Join(s.dir, "mounts", "cowboy-runner", "*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}

	var log bytes.Buffer
	if err := os.Mkdir(filepath.Join(s.dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	mounted := s.start(&log, "cowboy volume mount docs docs --rpc-url "+s.url)
	t.Cleanup(func() {
		_ = mounted.Process.Kill()
		_ = mounted.Wait()
	})
	at := filepath.Join(s.dir, "docs", "work")
	s.until("the folder shows the volume", func() bool {
		text, err := os.ReadFile(filepath.Join(at, "out.txt"))
		return err == nil && string(text) == "WHAT IS SHOUTED\n"
	})
	if err := os.WriteFile(filepath.Join(at, "third.txt"), []byte("by hand"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := mounted.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := mounted.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	s.gives("docs work/third.txt", "by hand")
	if list, err := os.ReadDir(filepath.Join(s.dir, "docs")); err != nil || len(list) != 0 {
		t.Errorf("the folder is still there: %v, %v", list, err)
	}
}
