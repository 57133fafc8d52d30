package image

import (
	"io/fs"
	"syscall"
)

// owner is who a file belongs to.
func owner(info fs.FileInfo) (uid, gid int) {
	s := info.Sys().(*syscall.Stat_t)
	return int(s.Uid), int(s.Gid)
}
