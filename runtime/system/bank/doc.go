// Package bank is the chapter of the BankActor at 0x13: banks, their cards and the vouchers of their signers. The rules are package chain/bank's; that cards
// pay fees is package runtime/transition's and package chain/timer's.
//
// Spec: gateway-payments-streams §G; WP §9 (0x13).
package bank
