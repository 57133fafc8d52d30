// Pays for a page with the public client of MPP, unmodified: mppx with a method "cowboy" of intent "charge", whose credential is an intent that viem signs.
// It prints what went over the wire.
//
//   npm install mppx viem     in a directory that this file and wire.mjs are copied to
//   node mppclient.mjs SERVER HOST PATH SECONDS
import { Credential, Method, Receipt, z } from "mppx";
import { Mppx } from "mppx/client";
import { keccak256 } from "viem";
import { page, print, signer, told, wire } from "./wire.mjs";

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
const fetch = wire({ signature: "authorization", required: "www-authenticate", response: "payment-receipt" });
const client = Mppx.create({ methods: [method], fetch, polyfill: false });
const reply = await client.fetch(page);
if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()} ${JSON.stringify(told)}`);
const receipt = Receipt.deserialize(reply.headers.get("payment-receipt"));
print({ body: await reply.text(), receipt });
