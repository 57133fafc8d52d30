// Package gateway is the chapter of the Gateway Registry at 0x0F and the Receipt Registry at 0x10: gateways bring requests over HTTP to actors, and what
// became of them is kept. The rules are those of the packages chain/gateway and chain/receipt.
//
// A method is a handler that takes canonical CBOR, a dict by the parameters' names or a list, in a message, a call or an Execute transaction, and answers with
// CBOR.
//
//	0x0F  register_gateway(endpoint, http_port)          with coins, the stake
//	      heartbeat(), unstake()
//	      is_active_gateway(address), gateway(address)
//	      dispatch(target, envelope, request_id)         {request_id}
//	0x10  complete(request_id, envelope)                 by the actor that was asked
//	      receipt(request_id)
//
// # A request
//
//	IngressDispatch ─► receipt PENDING, message from 0x0F to the handler of the actor's route, or to "http.request"
//	─► next block: the handler's answer, or its failure, in the receipt
//
// The message runs on what the transaction left of its limits. Writing the answer is paid from there too; one that does not fit is not kept, and the receipt
// says COMPLETED without it.
//
// Spec: gateway-payments-streams §B, §C; WP §9 (0x0F, 0x10).
package gateway
