// Package mount mounts a volume as a file system (FUSE), for programs that work on files and know nothing of relays.
//
// # Parts
//
// System is the file system without a kernel: paths, open files, what is not committed yet. Mount puts it behind FUSE; the nodes there hold a path and ask the
// System. The cache keeps files that were read whole, and the oldest of them go when it is full.
//
// # What becomes visible when
//
// A file is fetched whole when it is read first, since one seal is over all of it. What is written lies in the folder of the cache, and goes to the relays in
// one commit: at the interval, when a program asks for it (fsync), and at the end of the mount. A commit that fails is tried again at the next interval; at the
// end its files stay in the folder, which the error names. What has no place in the volume any more, as a file where others made a folder, is left out of
// commits and stays in the same way. At the interval the commits of others are seen too. Two that write one file: the later commit stays.
//
// # Errors
//
//	EPERM    unlink, rmdir: a mount deletes nothing
//	ENOTSUP  rename, link, and modes, owners and kinds of files a manifest has no place for
//	EACCES   what the account has no right to: paths outside of its prefix, reading with a token that only writes, writing with one that only reads;
//	         and where so many relays refuse that the others are too few
//	ENOSPC   more than the token, the volume, an object or the cache may have
//	EIO      relays that do not answer, and bytes that are not the volume's
//
// Relays that vanish are given up within the time limits of package reach: no call waits for ever, and none holds a lock meanwhile.
//
// Spec: storage-cbfs §3.5.
package mount
