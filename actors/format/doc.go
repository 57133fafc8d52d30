// Package format gives each kind of file that a node keeps a version, and upgrades older files step by step when their owner opens them.
//
// A Kind of file has a version this program writes, the oldest it reads, and one Step from each version to the next. Upgrade takes a file up the ladder
// when its owner opens it: each step writes a new file beside the old one, syncs it and renames it over the old one, so that a crash leaves the file of
// one version or of the next, and the next start goes on from there. A file that the ladder does not reach, of a newer program or older than the first
// step, is left alone: the answer is an *Error that names both versions and what to do.
//
// A kind that others hold the truth of, such as an index, has no steps: of whatever other version it is, it is made anew from its source.
//
// To change a format: raise the kind's Now, append the step that leads to it, commit a directory of the version before to the owner's testdata, and hold
// the migration to it as package ledger does.
//
// Deliberately absent: which kinds there are. Each is declared by the package that owns the file; the program `cowboyd` lists them.
package format
