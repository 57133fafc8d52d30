// What the clients beside it share: the command line SERVER HOST PATH SECONDS, the account, and a fetch over a plain connection that notes headers.
//
// SECONDS is the time the client believes it is, so that its signature fits a server whose clock stands still.
import http from "node:http";
import { privateKeyToAccount } from "viem/accounts";

const [server, host, path, seconds] = process.argv.slice(2);
Date.now = () => Number(seconds) * 1000;

export const page = "http://" + host + path;
export const signer = privateKeyToAccount("0x" + "0".repeat(63) + "5");
export const told = [];

// wire gives a fetch that sends one request over a plain connection with the Host of the name, and notes its headers about payments: names are those of the
// headers that carry the signature, what is required, and the receipt.
export function wire(names) {
  return (input, init) => {
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
            signature: headers[names.signature] ?? "",
            required: reply.headers[names.required] ?? "",
            response: reply.headers[names.response] ?? "",
          });
          const plain = new Headers();
          for (const [name, value] of Object.entries(reply.headers)) plain.set(name, String(value));
          resolve(new Response(Buffer.concat(parts), { status: reply.statusCode, headers: plain }));
        });
      });
      call.on("error", reject);
      call.end();
    });
  };
}

// print writes what the test compares.
export function print(result) {
  console.log(JSON.stringify({ payer: signer.address, ...result, exchanges: told }, null, 2));
}
