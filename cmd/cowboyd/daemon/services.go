package daemon

import (
	"context"
	"errors"
	"net"

	"github.com/rs/zerolog"
)

// startServices runs what a development network runs beside its nodes: proxies, runners and relays. Its first node listens at an address.
func (s *settings) startServices(ctx context.Context, at net.Addr, log zerolog.Logger) error {
	if err := s.proxies.start(s, at, log); err != nil {
		return err
	}
	if err := s.runners.start(ctx, s, at, log); err != nil {
		return err
	}
	return s.stores.start(s, at, log)
}

// stopServices ends what of it runs.
func (s *settings) stopServices() error {
	return errors.Join(s.stores.stop(), s.runners.stop(), s.proxies.stop())
}
