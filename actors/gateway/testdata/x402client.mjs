// Pays for a page with the public x402 client, unmodified: @x402/fetch and @x402/evm with an account of viem. It prints what went over the wire.
//
//   npm install @x402/fetch @x402/evm viem     in a directory that this file and wire.mjs are copied to
//   node x402client.mjs SERVER HOST PATH SECONDS
import { x402Client, wrapFetchWithPayment } from "@x402/fetch";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { page, print, signer, wire } from "./wire.mjs";

// Without an entry of its own the client spends nothing but the stablecoins it knows: the coin of the network is allowed by the asset's address, with a cap.
const client = x402Client.fromConfig({
  schemes: [{ network: "eip155:42", client: new ExactEvmScheme(signer) }],
  spendControls: {
    allowedAssets: [{ network: "eip155:42", asset: "0x0000000000000000000000000000000000000012", maxAmountPerPayment: "1000" }],
  },
});
const fetch = wire({ signature: "payment-signature", required: "payment-required", response: "payment-response" });
const reply = await wrapFetchWithPayment(fetch, client)(page);
print({ body: await reply.text() });
