package cbfs

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of names and paths, in bytes.
const (
	MaxNameBytes = 64
	MaxPathBytes = 512
	WriteIDSize  = 16
)

// The rejects of names and paths.
var (
	ErrName = errors.New("cbfs: a volume's name has 1 to 64 of A-Z a-z 0-9 _ - . and neither begins nor ends with . or -")
	ErrPath = errors.New("cbfs: a path has at most 512 bytes of UTF-8, parts between single slashes, and no part . or ..")
)

// VolumeID is keccak256(owner ‖ name).
//
// Spec: storage-cbfs §2.1.
func VolumeID(owner account.Address, name string) digest.Hash {
	return digest.Keccak256(owner[:], []byte(name))
}

// CheckName holds the name of a volume to its form. Reject: ErrName.
//
// Spec: storage-cbfs §2.1.
func CheckName(name string) error {
	if name == "" || len(name) > MaxNameBytes || strings.ContainsRune(".-", rune(name[0])) || strings.ContainsRune(".-", rune(name[len(name)-1])) {
		return ErrName
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			return ErrName
		}
	}
	return nil
}

// PublicAddress is how a volume of any account is named: /{owner}/{volume}.
//
// Spec: storage-cbfs §2.1 (public address).
func PublicAddress(owner account.Address, name string) string {
	return "/" + owner.String() + "/" + name
}

// ParsePublicAddress reads what PublicAddress gives; the owner's digits may have any case. Reject: ErrName.
//
// Spec: storage-cbfs §2.1 (public address).
func ParsePublicAddress(text string) (owner account.Address, name string, err error) {
	digits, name, _ := strings.Cut(strings.TrimPrefix(text, "/"), "/")
	owner, err = account.ParseAddress(digits)
	if err != nil || !strings.HasPrefix(text, "/0x") || CheckName(name) != nil {
		return account.Address{}, "", ErrName
	}
	return owner, name, nil
}

// CheckPath holds the path of an object to its form. Parts . and .. are refused, so that a path has one spelling and leads out of nothing. Reject: ErrPath.
//
// Spec: storage-cbfs §2.1.
func CheckPath(path string) error {
	if len(path) > MaxPathBytes || !utf8.ValidString(path) || strings.ContainsRune(path, 0) {
		return ErrPath
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return ErrPath
		}
	}
	return nil
}

// CheckPrefix is CheckPath where nothing stands for the whole volume, and a slash may end it. Reject: ErrPath.
//
// Spec: storage-cbfs §2.5.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckPath(strings.TrimSuffix(prefix, "/"))
}

// Canonical is a prefix with a slash at its end; the empty one stays.
//
// Spec: storage-cbfs §2.5.
func Canonical(prefix string) string {
	if prefix == "" || strings.HasSuffix(prefix, "/") {
		return prefix
	}
	return prefix + "/"
}

// Overlap reports whether one of two prefixes lies within the other. The empty one overlaps with all.
//
// Spec: storage-cbfs §2.5.
func Overlap(a, b string) bool { return Within(a, b) || Within(b, a) }

// Within reports whether a prefix lies within another one: it is the same or narrower.
//
// Spec: storage-cbfs §2.5 (caveats narrow).
func Within(narrow, wide string) bool { return strings.HasPrefix(Canonical(narrow), Canonical(wide)) }

// ShardID is BLAKE3(volume_id ‖ path ‖ write_id).
//
// Spec: storage-cbfs §2.1.
func ShardID(volume digest.Hash, path string, write [WriteIDSize]byte) digest.Hash {
	return digest.Blake3(volume[:], []byte(path), write[:])
}

// ManifestShardID is BLAKE3(volume_id ‖ "__manifest__").
//
// Spec: storage-cbfs §2.1.
func ManifestShardID(volume digest.Hash) digest.Hash {
	return digest.Blake3(volume[:], []byte("__manifest__"))
}
