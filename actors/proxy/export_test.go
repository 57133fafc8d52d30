package proxy

import "github.com/cowboyinc/cowboy-go/chain/secret"

// Give gives a door a share, for tests that are outside of this package.
func (d *Door) Give(of secret.Scope, s *Share) { d.publish(map[secret.Scope][]*Share{of: {s}}, nil) }
