
/** What JSON can carry to a handler. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What canonical CBOR can carry back. Keys of maps need not be text. */
export type Value = null | boolean | bigint | string | Uint8Array | Value[] | Map<Value, Value>;

/** A query or a transaction was refused or failed. */
export class CallError extends Error {}

/** How an actor is reached. */
export interface Transport {
  query(actor: string, handler: string, payload: Uint8Array): Promise<Uint8Array>;
  call(actor: string, handler: string, payload: Uint8Array, value: string): Promise<Uint8Array>;
}

/** Signs and sends a transaction that calls a handler, and gives its result: a wallet's part. */
export type Sender = (actor: string, handler: string, payload: Uint8Array, value: string) => Promise<Uint8Array>;

/** A node's HTTP interface for queries; transactions are a wallet's. */
export class Node implements Transport {
  private readonly url: string;
  private readonly sender: Sender | undefined;

  constructor(url: string = "http://localhost:4000", sender?: Sender) {
    this.url = url.replace(/\/$/, "");
    this.sender = sender;
  }

  async query(actor: string, handler: string, payload: Uint8Array): Promise<Uint8Array> {
    const reply = await fetch(`${this.url}/actor/${actor}/read_handler`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ selector: handler, payload: hex(payload) }),
    });
    const told = (await reply.json()) as { result?: string; why?: string; message?: string };
    if (!reply.ok || told.result === undefined) {
      throw new CallError(told.why ?? told.message ?? reply.statusText);
    }
    return unhex(told.result);
  }

  async call(actor: string, handler: string, payload: Uint8Array, value: string): Promise<Uint8Array> {
    if (this.sender === undefined) {
      throw new CallError("transactions need a sender: new Node(url, sender)");
    }
    return this.sender(actor, handler, payload, value);
  }
}

export function hex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** What a handler is given: bytes as they are, text as UTF-8, anything else as JSON. */
export function encode(payload: Uint8Array | string | bigint | Json): Uint8Array {
  if (payload instanceof Uint8Array) {
    return payload;
  }
  if (typeof payload === "string") {
    return new TextEncoder().encode(payload);
  }
  return new TextEncoder().encode(typeof payload === "bigint" ? payload.toString() : JSON.stringify(payload));
}

function typed(kind: string, value: Value): Value {
  if (typeof value !== kind) {
    throw new CallError(`the handler gave ${typeof value} where it says ${kind}`);
  }
  return value;
}

/** The value of canonical CBOR. */
export function decode(data: Uint8Array): Value {
  const [value, end] = item(data, 0);
  if (end !== data.length) {
    throw new CallError("something follows the result");
  }
  return value;
}

function number(data: Uint8Array): bigint {
  return data.length === 0 ? 0n : BigInt("0x" + hex(data));
}

function item(data: Uint8Array, at: number): [Value, number] {
  const first = data[at];
  if (first === undefined) {
    throw new CallError("the result is not CBOR");
  }
  at += 1;
  const major = first >> 5;
  const info = first & 31;
  let size = BigInt(info);
  if (info >= 24) {
    const width = 1 << (info - 24);
    if (info > 27 || data.length < at + width) {
      throw new CallError("the result is not CBOR");
    }
    size = number(data.subarray(at, at + width));
    at += width;
  }
  const count = Number(size);
  if (major === 0) {
    return [size, at];
  }
  if (major === 1) {
    return [-1n - size, at];
  }
  if (major === 2 || major === 3) {
    if (data.length < at + count) {
      throw new CallError("the result is not CBOR");
    }
    const chunk = data.slice(at, at + count);
    return [major === 2 ? chunk : new TextDecoder("utf-8", { fatal: true }).decode(chunk), at + count];
  }
  if (major === 4) {
    const items: Value[] = [];
    for (let i = 0; i < count; i++) {
      const [value, next] = item(data, at);
      items.push(value);
      at = next;
    }
    return [items, at];
  }
  if (major === 5) {
    const pairs = new Map<Value, Value>();
    for (let i = 0; i < count; i++) {
      const [key, behind] = item(data, at);
      const [value, next] = item(data, behind);
      pairs.set(key, value);
      at = next;
    }
    return [pairs, at];
  }
  if (major === 6) {
    const [value, next] = item(data, at);
    if ((count === 2 || count === 3) && value instanceof Uint8Array) {
      return [count === 2 ? number(value) : -1n - number(value), next];
    }
    return [value, next];
  }
  if (info >= 20 && info <= 22) {
    return [info === 22 ? null : info === 21, at];
  }
  throw new CallError("the result is not CBOR");
}
