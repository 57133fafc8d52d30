package relay

import (
	"context"
	"errors"
	"time"

	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// Got is the answer of a slot: a chunk, which lies in a body, or an error.
type Got struct {
	Slot int
	Data []byte
	Body *mutual.Body
	Err  error
}

// Enough asks k slots in their order, and the next one whenever an answer is an error or k are still missing after so long. It gives k answers, or fewer when
// all have been asked, and the errors of the others. Whoever is late is not waited for.
func Enough(ctx context.Context, order []int, k int, after time.Duration, ask func(ctx context.Context, slot int) Got) (list []Got, failed, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan Got, len(order))
	next, open := 0, 0
	begin := func() {
		if next < len(order) {
			go func(slot int) { answers <- ask(ctx, slot) }(order[next])
			next++
			open++
		}
	}
	for range k {
		begin()
	}
	late := time.NewTicker(after)
	defer late.Stop()
	for len(list) < k && open > 0 {
		select {
		case <-late.C:
			begin()
		case one := <-answers:
			open--
			if one.Err != nil {
				failed = errors.Join(failed, one.Err)
				begin()
				continue
			}
			list = append(list, one)
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	return list, failed, nil
}
