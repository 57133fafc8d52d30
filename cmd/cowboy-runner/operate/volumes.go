package operate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/actors/volume/mount"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// anchorWithin bounds the last commit of a job.
const anchorWithin = 5 * time.Minute

// mounts mounts the volumes of jobs for a runner's key. It implements work.Volumes.
type mounts struct {
	client *Client
	keys   keys
	dir    string // which each mount has a folder in
}

// keys gets the key of a volume that is attached to a job; nil for a public one.
type keys interface {
	VolumeKey(ctx context.Context, spec *job.Spec, volume digest.Hash) (*[volume.KeySize]byte, error)
}

// equip gives a set of executors the secrets of its jobs, and what mounts their volumes, where the operator names a folder.
func (c *config) equip(set *work.Set, client *Client, data string) error {
	released := NewSecrets(client)
	set.Secrets = released
	if c.Volumes.Folder == "" {
		return nil
	}
	m, err := c.volumes(client, released, data)
	if err == nil {
		set.Volumes = m
	}
	return err
}

// volumes is what mounts the volumes of jobs. Its folder is outside of the data directory, which is hidden from the programs that jobs run.
func (c *config) volumes(client *Client, released keys, data string) (*mounts, error) {
	folder := c.Volumes.Folder
	if !filepath.IsAbs(folder) {
		return nil, errors.New("volumes.folder is an absolute path")
	}
	data, err := filepath.Abs(data)
	if err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(data, folder); err == nil && filepath.IsLocal(rel) {
		return nil, fmt.Errorf("volumes.folder %s is within the data directory, which is hidden from programs of others", folder)
	}
	if _, err := os.Stat("/dev/fuse"); err != nil {
		return nil, fmt.Errorf("volumes.folder is set, and this machine mounts nothing by FUSE: %w", err)
	}
	return newMounts(client, released, folder)
}

// newMounts gives a runner's key the volumes of its jobs, in a folder below another one. What a runner that was killed left there is taken away.
func newMounts(c *Client, released keys, folder string) (*mounts, error) {
	m := &mounts{c, released, filepath.Join(folder, "cowboy-runner")}
	left, err := filepath.Glob(filepath.Join(m.dir, "*", "*"))
	if err != nil {
		return nil, err
	}
	for _, at := range left { // those that are no mounts say so
		_ = mount.Detach(at)
	}
	if err := os.RemoveAll(m.dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return m, os.Mkdir(m.dir, 0o711) // containers' users go through it
}

// Call sends a call behind what was sent just before, and waits until it is final.
func (c *Client) call(ctx context.Context, in tx.Instruction, most tx.Cost) error {
	c.mu.Lock()
	owner, err := c.wallet.Node.Account(ctx, c.wallet.Key.Address().String())
	if err != nil {
		c.mu.Unlock()
		return err
	}
	nonce, hash, err := c.wallet.SendNamed(ctx, in, c.nonces.Least(owner.Nonce, time.Now()), most)
	if err == nil {
		c.nonces.Sent(nonce)
	}
	c.mu.Unlock()
	if err == nil {
		_, err = c.wallet.Outcome(ctx, hash)
	}
	return err
}

// anchoring commits for a runner. It implements volume.Chain.
type anchoring struct {
	api.Storage
	client *Client
}

// Commit implements volume.Chain.
//
// Spec: storage-cbfs §3.1 (commit_manifest: the runner pays).
func (a anchoring) Commit(ctx context.Context, v *reach.Volume, token *[cbfs.TokenIDSize]byte, next chain.Commit) error {
	in, err := api.CommitCall(v, token, next)
	if err == nil {
		err = a.client.call(ctx, in, api.CommitCost)
	}
	return api.CommitError(err)
}

// Mount implements work.Volumes.
//
// Spec: storage-cbfs §2.5, §3.5.
func (m *mounts) Mount(ctx context.Context, spec *job.Spec) (list []work.Mounted, done func() error, err error) {
	var all work.Joined
	defer func() {
		if err != nil {
			err = errors.Join(err, all.Done())
		}
	}()
	var health wire.Health
	if err := m.client.wallet.Node.Read(ctx, "/health/detailed", &health); err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp(m.dir, spec.ID.Hex()[:8]+"-")
	if err != nil {
		return nil, nil, err
	}
	all = append(all, func() error { return os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o711); err != nil {
		return nil, nil, err
	}
	for i := range spec.Volumes {
		one, end, err := m.one(ctx, spec, &spec.Volumes[i], folder, health.ChainID)
		if err != nil {
			return nil, nil, fmt.Errorf("volume %s: %w", spec.Volumes[i].Name, err)
		}
		all, list = append(all, end), append(list, one)
	}
	return list, all.Done, nil
}

// one mounts one volume.
func (m *mounts) one(ctx context.Context, spec *job.Spec, at *job.Volume, folder string, chainID uint64) (work.Mounted, func() error, error) {
	own := m.client.wallet.Key
	c := &volume.Client{
		Chain: anchoring{api.Storage{Node: m.client.wallet.Node}, m.client}, Wallet: own, Network: api.NetworkOf(chainID), Now: time.Now,
		Pick: func(t *cbfs.RunnerToken) bool { return picked(t, at, own.Address().Hex()) },
	}
	id, err := api.Storage{Node: m.client.wallet.Node}.Attached(ctx, spec.Submitter, at.Name)
	if err != nil {
		return work.Mounted{}, nil, sorted(err)
	}
	name := strings.ReplaceAll(at.Name, "/", "-") // of a public address it begins with what no name begins with, as the cache's does
	target := filepath.Join(folder, name)
	if c.Key, err = m.keys.VolumeKey(ctx, spec, id); err != nil {
		return work.Mounted{}, nil, err
	}
	s, err := mount.New(ctx, c, id, mount.Options{Dir: filepath.Join(folder, "."+name), Now: time.Now})
	if err != nil {
		c.Close()
		forget(c.Key)
		return work.Mounted{}, nil, sorted(err)
	}
	var served *mount.Mounted
	if err = os.Mkdir(target, 0o755); err == nil {
		served, err = mount.Serve(s, target, os.Geteuid() == 0) // containers have users of their own
	}
	within := func(end func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(context.Background(), anchorWithin)
		defer cancel()
		defer forget(c.Key)
		defer c.Close()
		return end(ctx)
	}
	if err != nil {
		return work.Mounted{}, nil, errors.Join(err, within(s.Close))
	}
	end := func() error { return sorted(within(served.Unmount)) }
	return work.Mounted{Name: at.Name, Folder: target, Writes: at.AccessMode != cbfs.ReadOnly.String()}, end, nil
}

// forget erases a key; nil is none.
func forget(key *[volume.KeySize]byte) {
	if key != nil {
		clear(key[:])
	}
}

// picked reports whether a token is the one that the chain minted for an attachment: of several runners that write, each has a place of its own.
//
// Spec: storage-cbfs §2.5 (write prefixes do not overlap).
func picked(t *cbfs.RunnerToken, at *job.Volume, own string) bool {
	return t.Mode.String() == at.AccessMode && t.MaxBytes == at.MaxBytes && (t.Prefix == at.PathPrefix || t.Prefix == cbfs.Canonical(at.PathPrefix)+own)
}

// sorted says whether another try can do better.
func sorted(err error) error {
	for _, one := range [...]error{volume.ErrKey, volume.ErrToken, reach.ErrUnknown, chain.ErrQuota, chain.ErrBytes, chain.ErrReserve} {
		if errors.Is(err, one) {
			return &work.Error{Kind: work.Permanent, Err: err}
		}
	}
	return err
}
