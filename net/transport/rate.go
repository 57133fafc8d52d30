package transport

import "time"

// rate is a token bucket in nanoseconds of budget: what has been used beyond the average is paid back by waiting. It may go into
// debt by one frame, so a frame above the burst passes and is paid for afterwards: golang.org/x/time/rate refuses what is above the
// burst, which for a frame that has been read already would mean to lose the peer or the frame.
type rate struct {
	perSecond int64
	burst     time.Duration
	until     time.Time // when everything used so far will have been paid for
}

func newRate(perSecond, burstSeconds int) rate {
	return rate{perSecond: int64(perSecond), burst: time.Duration(burstSeconds) * time.Second}
}

// use counts n units and returns how long to wait before the next use.
func (r *rate) use(now time.Time, n int) time.Duration {
	if r.until.Before(now) {
		r.until = now
	}
	// n is at most 2^28, so the product stays below 2^58.
	r.until = r.until.Add(time.Duration(int64(n) * int64(time.Second) / r.perSecond))
	return max(r.until.Sub(now)-r.burst, 0)
}

// allowance is a channel's budget for receiving.
type allowance struct{ bytes, frames rate }

func newAllowance(b Budget) allowance {
	return allowance{newRate(b.BytesPerSecond, b.Burst), newRate(b.FramesPerSecond, b.Burst)}
}

// use counts one frame and returns how long to wait before the next.
func (a *allowance) use(now time.Time, bytes int) time.Duration {
	return max(a.bytes.use(now, bytes), a.frames.use(now, 1))
}
