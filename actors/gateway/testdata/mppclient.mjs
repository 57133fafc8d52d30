// Pays for a page with the public client of MPP, unmodified: mppx with a method "cowboy" of intent "charge", whose credential is an intent that viem signs.
// It prints what went over the wire.
//
//   npm install mppx viem     in a directory this file is copied to
//   node mppclient.mjs SERVER HOST PATH SECONDS
//
// SECONDS is the time the client believes it is, so that its signature fits a server whose clock stands still.
import http from "node:http";
import { Credential, Method, Receipt, z } from "mppx";
import { Mppx } from "mppx/client";
import { keccak256 } from "viem";
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
          signature: headers["authorization"] ?? "",
          required: reply.headers["www-authenticate"] ?? "",
          response: reply.headers["payment-receipt"] ?? "",
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

// uint is a number in groups of seven bits, the lowest first.
function uint(n) {
  let out = "";
  for (let x = BigInt(n); ; x >>= 7n) {
    const last = x < 128n;
    out += (Number(x & 127n) | (last ? 0 : 128)).toString(16).padStart(2, "0");
    if (last) return out;
  }
}

const plain = (hex, bytes) => hex.replace(/^0x/, "").toLowerCase().padStart(2 * bytes, "0");
const text = (words) => Buffer.from(words).toString("hex");

const charge = Method.from({
  name: "cowboy",
  intent: "charge",
  schema: {
    credential: { payload: z.object({ intent: z.string() }) },
    request: z.record(z.string(), z.unknown()),
  },
});
const method = Method.toClient(charge, {
  async createCredential({ challenge }) {
    const { amount, details } = challenge.request;
    const unsigned = "00" + plain(signer.address, 20) + plain(details.actor, 20) + plain("", 32) + plain(BigInt(amount).toString(16), 16) +
      uint(7) + uint(details.validBefore) + plain(details.requestHash, 32) + plain("", 32);
    const hash = keccak256("0x" + text("CowboyPaymentIntent\x01") + uint(details.chainId) + unsigned);
    const signed = plain(await signer.sign({ hash }), 65);
    const parity = (parseInt(signed.slice(128), 16) % 27).toString(16).padStart(2, "0");
    return Credential.serialize({ challenge, payload: { intent: unsigned + signed.slice(0, 128) + parity }, source: "did:cowboy:" + signer.address });
  },
});
const client = Mppx.create({ methods: [method], fetch: wire, polyfill: false });
const reply = await client.fetch("http://" + host + path);
if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()} ${JSON.stringify(told)}`);
const receipt = Receipt.deserialize(reply.headers.get("payment-receipt"));
console.log(JSON.stringify({ payer: signer.address, body: await reply.text(), receipt, exchanges: told }, null, 2));
