// Package contained builds the image that tests of containers run: a static program (program) in one layer, in an OCI layout that go-containerregistry writes.
package contained
