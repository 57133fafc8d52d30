// Package stream is the chapter of the Stream Key Manager at 0x0D: actors call it, and accounts send it Execute transactions, with the canonical CBOR of a list
// of arguments.
//
//	configure_stream(name, fee, protocol_fee_bps, treasury, key_epoch_blocks, min_purchase) -> stream_id
//	acquire_epoch_access(stream, beneficiary, payer, target) -> dict      the payer is whoever asks
//	register_account_key(public_key) -> account_key_id                    revoke_account_key(account_key_id)
//	authorize_actor(actor, stream)                                        revoke_actor(actor, stream)
//	register_content_keys(stream, [[epoch, wrapped], …])
//	request_seal(stream, from, to) -> number                              request_seal_again(number)
//	get_access(stream, beneficiary) -> last epoch|None                    is_authorized(account, actor, stream) -> bool
//	get_content_key(stream, epoch) -> bytes|None                          get_seal_request(number) -> dict|None
//
// The rules are package chain/stream's.
//
// Spec: gateway-payments-streams §E; WP §9.
package stream
