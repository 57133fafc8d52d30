package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket says where an object store is that speaks S3, and which of its objects are the relay's.
type Bucket struct {
	Endpoint    string // host:port
	Name        string // of the bucket, which has to be there
	Prefix      string // of all objects, without a slash at its end; may be empty
	Region      string // "" where the server has none, or tells
	Plain       bool   // without TLS
	Owner       string // of everything below the prefix: the relay's node_id
	Credentials *credentials.Credentials
}

// CredentialsOf looks for the keys of an object store where its tools do: the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, MINIO_ACCESS_KEY and
// MINIO_SECRET_KEY, a file of credentials ("" for ~/.aws/credentials), the machine's own role.
func CredentialsOf(file string) *credentials.Credentials {
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{Filename: file}, &credentials.IAM{},
	})
}

// requestWithin is how long one request to an object store may take.
const requestWithin = 30 * time.Second

// bucket keeps the files in an object store. What a request has answered is durable.
//
//	format      "3"
//	owner       the relay's node_id, written by whoever came first
//	chunks/…, pages/…, branches/…, tables/…
//	            as in a directory
//	named/T     when the chain was last known to name table T, in seconds; else the time of the table counts
type bucket struct {
	Bucket
	core *minio.Core
}

// OpenBucket opens a store in an object store, or makes one. Two relays never have one prefix; that a relay runs once is its operator's to see to. Errors:
// ErrLocked, ErrFormat.
func OpenBucket(b Bucket, capacity uint64) (*Store, error) {
	p, err := newBucket(b)
	if err != nil {
		return nil, err
	}
	return begin(p, capacity)
}

// LookBucket tells what a store in an object store holds. Errors: ErrLocked, ErrFormat.
func LookBucket(b Bucket) (Usage, error) {
	p, err := newBucket(b)
	if err == nil {
		err = p.check()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Usage{}, nil
	}
	if err != nil {
		return Usage{}, err
	}
	s := &Store{place: p}
	err = s.count()
	return s.Usage(), err
}

func newBucket(b Bucket) (*bucket, error) {
	core, err := minio.NewCore(b.Endpoint, &minio.Options{Creds: b.Credentials, Secure: !b.Plain, Region: b.Region, MaxRetries: 3})
	return &bucket{b, core}, err
}

func (b *bucket) key(name string) string { return path.Join(b.Prefix, name) }

func request() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), requestWithin)
}

// told makes the object store's words ours.
func told(err error) error {
	if err == nil {
		return nil
	}
	switch r := minio.ToErrorResponse(err); {
	case r.Code == minio.NoSuchKey:
		return fs.ErrNotExist
	case r.StatusCode == http.StatusInsufficientStorage, r.Code == "XMinioStorageFull", r.Code == "QuotaExceeded", r.Code == "XMinioAdminBucketQuotaExceeded":
		return errors.Join(ErrFull, err)
	}
	return err
}

// open implements place.
func (b *bucket) open() error {
	for name, text := range map[string]string{"owner": b.Owner, "format": format} { // order-free: either is written where it is not there
		_, _, err := b.get(name, 1, nil, false)
		if errors.Is(err, fs.ErrNotExist) {
			if err = b.write(name, []byte(text), true); minio.ToErrorResponse(err).Code == minio.PreconditionFailed {
				err = nil // somebody was faster, and check says who
			}
		}
		if err != nil {
			return err
		}
	}
	return b.check()
}

func (b *bucket) close() error { return nil }

// check holds the prefix to its owner and to its format.
func (b *bucket) check() error {
	owner, _, err := b.get("owner", 1<<10, nil, false)
	if err != nil {
		return err
	}
	if string(owner) != b.Owner {
		return fmt.Errorf("%w: %s/%s is of %q", ErrLocked, b.Name, b.Prefix, owner)
	}
	text, _, err := b.get("format", 1<<10, nil, false)
	if err != nil {
		return err
	}
	return held(text)
}

// put implements place.
func (b *bucket) put(name string, _ bool, parts ...[]byte) error {
	return b.write(name, slices.Concat(parts...), false) // a copy: a request that is given up may be read still
}

// write writes an object; only where it is not there, if it is to be the first.
func (b *bucket) write(name string, data []byte, first bool) error {
	ctx, cancel := request()
	defer cancel()
	var o minio.PutObjectOptions
	if first {
		o.SetMatchETagExcept("*")
	}
	_, err := b.core.PutObject(ctx, b.Name, b.key(name), bytes.NewReader(data), int64(len(data)), "", "", o)
	return told(err)
}

// get implements place.
func (b *bucket) get(name string, most int, room []byte, _ bool) (part []byte, size uint64, err error) {
	ctx, cancel := request()
	defer cancel()
	var o minio.GetObjectOptions
	if err := o.SetRange(0, int64(most)-1); err != nil {
		return nil, 0, err
	}
	body, info, header, err := b.core.GetObject(ctx, b.Name, b.key(name), o)
	if minio.ToErrorResponse(err).Code == minio.InvalidRange { // it has no more, or none at all
		size, err = b.size(name)
		return nil, size, err
	}
	if err != nil {
		return nil, 0, told(err)
	}
	defer body.Close()
	part = within(room, uint64(min(max(info.Size, 0), int64(most))))
	if _, err = io.ReadFull(body, part); err != nil {
		return nil, 0, err
	}
	size = uint64(len(part))
	if _, all, ok := strings.Cut(header.Get("Content-Range"), "/"); ok {
		size, err = strconv.ParseUint(all, 10, 64)
	}
	return part, size, err
}

// size implements place.
func (b *bucket) size(name string) (uint64, error) {
	ctx, cancel := request()
	defer cancel()
	info, err := b.core.StatObject(ctx, b.Name, b.key(name), minio.StatObjectOptions{})
	if err != nil {
		return 0, told(err)
	}
	return uint64(max(info.Size, 0)), nil
}

// remove implements place. When a table was named goes with it.
func (b *bucket) remove(name string) error {
	ctx, cancel := request()
	defer cancel()
	err := b.core.RemoveObject(ctx, b.Name, b.key(name), minio.RemoveObjectOptions{})
	if err == nil && strings.HasPrefix(name, "tables/") {
		err = b.core.RemoveObject(ctx, b.Name, b.key(namedKey(name)), minio.RemoveObjectOptions{})
	}
	return told(err)
}

// settle implements place: what is there is durable.
func (b *bucket) settle(names []string) ([]bool, error) {
	return each(names, func(name string) error {
		_, err := b.size(name)
		return err
	})
}

func namedKey(table string) string { return path.Join("named", path.Base(table)) }

// name implements place.
func (b *bucket) name(table string, at time.Time) error {
	if _, err := b.size(table); err != nil {
		return err
	}
	return b.write(namedKey(table), strconv.AppendInt(nil, at.Unix(), 10), false)
}

// walk implements place.
func (b *bucket) walk(folder string, visit func(f file) error) error {
	prefix := b.key(folder) + "/"
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for one := range b.core.Client.ListObjectsIter(ctx, b.Name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if one.Err != nil {
			return told(one.Err)
		}
		f := file{path.Join(folder, strings.TrimPrefix(one.Key, prefix)), uint64(max(one.Size, 0)), one.LastModified}
		if folder == tables {
			text, _, err := b.get(namedKey(f.name), 32, nil, false)
			seconds, failed := strconv.ParseInt(string(text), 10, 64)
			switch {
			case err == nil && failed == nil:
				f.at = time.Unix(seconds, 0)
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}
