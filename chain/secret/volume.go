package secret

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// VolumeKeys begins the names of secrets that are keys of private volumes.
const VolumeKeys = "CBFS_DEK_"

// VolumeKeyName is the name of the secret that is the key of a private volume, in 64 hexadecimal digits. A job that has the volume attached names it among its
// secrets; it is for whoever mounts the volume, and is put into no place.
//
// Spec: secrets-cbss §11.
func VolumeKeyName(volume digest.Hash) string { return VolumeKeys + strings.ToUpper(volume.Hex()) }
