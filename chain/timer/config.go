package timer

import "github.com/cowboyinc/cowboy-go/chain/params"

// Config are the governed numbers of this chapter: max_ttl_blocks, max_cycles_per_fire, max_cells_per_fire, max_timers_per_actor and
// gc_cycles_per_block, stored whole under system:timer_config at 0x09 and read once at the start of a block.
//
// Spec: scheduler-timers §5; WP §13.1 (0x09, over CIP-5's 0x06).
type Config = params.TimerConfig
