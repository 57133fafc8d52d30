// Package session is the chapter of the Session Actor at 0x0C: payers open sessions with runners, who are paid by vouchers. The rules are package
// chain/session's.
//
// Spec: gateway-payments-streams §D; WP §9.
package session
