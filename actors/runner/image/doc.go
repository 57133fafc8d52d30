// Package image brings container images to a runner's disk: it finds them by digest in OCI layouts or fetches them from a registry, verifies them, and unpacks
// them.
//
// # What is trusted
//
// Nothing but the digest that a job names and the chain's registry has. The manifest is held to it, the configuration and each layer, compressed and not, to
// what the manifest says. Layers are unpacked while they are read, into a directory that gets its name when everything fits; what does not is removed.
//
// # What an archive may do
//
//   - A name with ".." in it is refused, and a name behind symbolic links means what it would inside the container: links are followed by this package, within
//     the root, and never by the kernel. Everything is done through an os.Root besides.
//   - Files, directories, symbolic and hard links are made; devices, sockets and pipes are refused. Marks that delete (whiteouts) do. Set-user-id bits and
//     extended attributes are dropped.
//   - Bytes, entries and layers are counted, before they are written: an archive that would unpack to more is refused.
//
// # Who owns the files
//
// Where the runner is root, files are moved to a range of user ids that nobody else has (Base), which containers see as theirs from 0 on. Elsewhere they are
// the runner's own.
//
// Spec: runner-marketplace §2.9 (image by digest, 10 GiB, 300 s to pull); CIP-10.
package image
