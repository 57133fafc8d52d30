// Package present has the two forms that HTTP gives payments: the authentication scheme "Payment" (MPP) and the headers of x402, version 2. It turns values
// into headers and back, and knows nothing of what is decided or settled. It is pure.
//
// # Headers
//
//	WWW-Authenticate: Payment …   Challenge.Header, whose id binds it to the server's secret
//	Authorization: Payment …      ReadCredential
//	Payment-Receipt               Receipt.Header
//	PAYMENT-REQUIRED              PaymentRequired.Header
//	PAYMENT-SIGNATURE             ReadPaymentSignature
//	PAYMENT-RESPONSE              SettlementResponse.Header
//
// Every reader is bounded by MaxHeaderBytes.
//
// Spec: gateway-payments-streams §F (MPP, x402).
package present
