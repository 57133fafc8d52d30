// Package rent is the chapter of state rent at 0x09: its instructions, what Python may ask and pay, and at the end of each block the sweep that bills the next
// actors and the removal of what evicted ones stored. Who is billed before a turn changes them is package transition's and the host's to say.
//
// Spec: rent; WP "State Rent", "Grace Period and Eviction", "Storage Quotas", §4.4, §17.5.
package rent
