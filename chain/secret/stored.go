package secret

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// MaxStoredPath bounds the path of a payload in a volume, in bytes.
const MaxStoredPath = MaxPointer - digest.Size

// StoredAt is a place in storage, as clients write and read it: volume_id(32) ‖ path. The volume is a public one: the payload is encrypted.
//
// Spec: secrets-cbss §2 (the payload lies in CBFS at cbfs_pointer), §12 (6).
func StoredAt(volume digest.Hash, path string) []byte { return append(volume[:], path...) }

// ParseStored reads what StoredAt gave; false for what is none.
func ParseStored(place []byte) (volume digest.Hash, path string, ok bool) {
	if len(place) <= digest.Size || len(place) > MaxPointer {
		return volume, "", false
	}
	path = string(place[digest.Size:])
	return digest.Hash(place[:digest.Size]), path, !strings.ContainsRune(path, 0)
}
