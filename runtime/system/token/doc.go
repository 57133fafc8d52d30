// Package token is the chapter of tokens at 0x06: what accounts may send and what actors may call, what each costs, and how hooks are run. The rules are
// package chain/token's; an instruction and the syscall of the same meaning run one function here.
//
// Spec: tokens §3, §4, §5, §6, §7; WP §9, §17.3; sdk §13.
//
// # Prices
//
// Each function charges what WP §17.3 and tokens §3 list, before it does anything; the event is in the price. Beyond the list, a batch pays for the bytes it
// stores as that many transfers would, and a creation for those of its URI. An instruction pays the intrinsic cost of its row besides.
//
// # Hooks
//
// The hook's actor sees 0x06 as its sender. can_transfer allows by returning True and nothing else; whatever ends it otherwise rejects. A budget that a hook
// has passed is told by a code of its own. Whoever has less left than a hook needs within its budget runs out himself: the transfer is undone in both phases,
// so that nobody keeps on_transfer from running by paying for little. A failure of on_transfer stands in the receipt as an event.
package token
