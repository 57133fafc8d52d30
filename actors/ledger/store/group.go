package store

const (
	// groupMax is the most frames that share a sync.
	groupMax = 256
	// groupBytes is how many bytes of frames share a sync; one frame always may.
	groupBytes = 8 << 20
)

// group is frames that are written by one write and made durable by one sync. Each says how many follow it in the group, so that opening tells what a
// crash may have left of them from damage.
type group struct {
	sequence uint64 // of the next frame
	data     []byte
	headers  []header
}

func newGroup(sequence uint64, r *Record) *group {
	g := &group{sequence: sequence}
	g.take(r)
	return g
}

func (g *group) size() uint64 { return uint64(len(g.data)) }

func (g *group) take(r *Record) {
	frame, h := encodeFrame(g.sequence, r.Commit.Delta(), r)
	g.sequence++
	g.headers = append(g.headers, h)
	if g.data == nil {
		g.data = frame
		return
	}
	g.data = append(g.data, frame...)
}

// add takes another frame if the group is not full with it; room is how many bytes the group may have.
func (g *group) add(r *Record, room uint64) bool {
	if len(g.headers) == groupMax || g.size()+frameSize(r.Commit.Delta(), r) > min(room, groupBytes) {
		return false
	}
	g.take(r)
	return true
}

// bytes are the frames, each telling how many follow it.
func (g *group) bytes() []byte {
	at := uint64(0)
	for i := range g.headers {
		h := &g.headers[i]
		if h.follow = byte(len(g.headers) - 1 - i); h.follow > 0 {
			copy(g.data[at:], h.encode())
		}
		at += h.size()
	}
	return g.data
}
