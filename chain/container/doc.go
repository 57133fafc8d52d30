// Package container is the Container Registry, 0x11: which images the jobs of containers may run, and what the names of resource classes mean. Its rules are
// functions over a state.Store; governance alone changes the registry.
//
// # Rules
//
//   - An image is known by its name, as references have it without tag and digest: registry/repository, or the repository alone. A job may run it where its
//     digest is the one that is registered.
//   - Registering a name again replaces the entry. What a runner was given to do already is not looked at again.
//   - A resource class is one of the five standard ones, or one that governance registered, which may replace a standard one. A class that was deregistered
//     is unknown, a standard one too.
//   - A job without a class states its resources.
//
// # Layout, records of 0x11
//
//	container:image/ ‖ name   Image
//	container:class/ ‖ name   Class, or nothing for a standard class that is deregistered
//	container:images          how many images there are
//	container:classes         how many records of classes
//
// # Invariants
//
//   - At most MaxImages images and MaxClasses records of classes. A class and an image stay within the hard limits of a container job.
//
// Deliberately absent: the images of genesis that the documents name, since no document says their digests; the registry's exception for trusted
// environments, which no governed rule grants yet; the records of lasting workloads, which are outside of the whitepaper.
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9; WP §9 (0x11).
package container
