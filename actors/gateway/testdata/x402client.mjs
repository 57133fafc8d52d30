// Pays for a page with the public x402 client, unmodified: @x402/fetch and @x402/evm with an account of viem. It prints what went over the wire.
//
//   npm install @x402/fetch @x402/evm viem     in a directory this file is copied to
//   node x402client.mjs SERVER HOST PATH SECONDS
//
// SECONDS is the time the client believes it is, so that its signature fits a server whose clock stands still.
import http from "node:http";
import { x402Client, wrapFetchWithPayment } from "@x402/fetch";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";

const [server, host, path, seconds] = process.argv.slice(2);
Date.now = () => Number(seconds) * 1000;

const told = [];

// wire sends one request over a plain connection with the Host of the name, and notes its headers about payments.
function wire(input, init) {
  const request = new Request(input, init);
  const headers = Object.fromEntries(request.headers);
  return new Promise((resolve, reject) => {
    const target = new URL(new URL(request.url).pathname + new URL(request.url).search, server);
    const call = http.request(target, { method: request.method, headers: { ...headers, host } }, (reply) => {
      const parts = [];
      reply.on("data", (part) => parts.push(part));
      reply.on("end", () => {
        told.push({
          status: reply.statusCode,
          signature: headers["payment-signature"] ?? "",
          required: reply.headers["payment-required"] ?? "",
          response: reply.headers["payment-response"] ?? "",
        });
        const plain = new Headers();
        for (const [name, value] of Object.entries(reply.headers)) plain.set(name, String(value));
        resolve(new Response(Buffer.concat(parts), { status: reply.statusCode, headers: plain }));
      });
    });
    call.on("error", reject);
    call.end();
  });
}

const signer = privateKeyToAccount("0x" + "0".repeat(63) + "5");
// Without an entry of its own the client spends nothing but the stablecoins it knows: the coin of the network is allowed by the asset's address, with a cap.
const client = x402Client.fromConfig({
  schemes: [{ network: "eip155:42", client: new ExactEvmScheme(signer) }],
  spendControls: {
    allowedAssets: [{ network: "eip155:42", asset: "0x0000000000000000000000000000000000000012", maxAmountPerPayment: "1000" }],
  },
});
const reply = await wrapFetchWithPayment(wire, client)("http://" + host + path);
console.log(JSON.stringify({ payer: signer.address, body: await reply.text(), exchanges: told }, null, 2));
