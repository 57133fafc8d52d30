package volume

import (
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// sealer seals a file with AES-256-GCM, stripe by stripe, several at a time.
//
// Spec: storage-cbfs §3.1.
type sealer struct {
	*byParts
	read   func(part []byte, offset uint64) error // the text
	each   uint64                                 // bytes of a stripe
	begun  uint64                                 // bytes of stripes that were given
	shares []share
	open   sync.WaitGroup // stripes with text that are not yet sealed
	end    func() []byte  // the tag, when all of them are
}

func newSealer(
	key *[KeySize]byte, volume digest.Hash, path string, w write, text, each uint64, read func(part []byte, offset uint64) error,
) (*sealer, error) {
	b, err := newByParts(key, volume, path, w, text)
	if err != nil {
		return nil, err
	}
	s := &sealer{byParts: b, read: read, each: each, shares: make([]share, (text+each-1)/each)}
	s.open.Add(len(s.shares))
	s.end = sync.OnceValue(func() []byte {
		for _, one := range s.shares {
			s.add(one)
		}
		return s.tag()
	})
	return s, nil
}

// next is a source. A stripe in which bytes of the tag lie is ready only when all others are sealed.
func (s *sealer) next(buffer []byte) (portion, error) {
	from, to := s.begun, min(s.begun+s.each, s.text+overhead)
	s.begun = to
	stripe := buffer[:to-from]
	return portion{stripe, func() error {
		if from < s.text {
			if err := s.seal(stripe[:min(to, s.text)-from], from); err != nil {
				return err
			}
		}
		if to > s.text {
			s.open.Wait()
			behind := max(from, s.text)
			copy(stripe[behind-from:], s.end()[behind-s.text:])
		}
		return nil
	}}, nil
}

// seal seals the text of a stripe.
func (s *sealer) seal(part []byte, from uint64) error {
	defer s.open.Done()
	if err := s.read(part, from); err != nil {
		return err
	}
	s.crypt(from, part)
	s.shares[from/s.each] = s.share(part)
	return nil
}
