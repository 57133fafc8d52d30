// A key from a wallet file, the address it stands for, and signatures: keccak256 (FIPS 202's permutation with the padding before it), secp256k1 (SEC 2) and
// the canonical encoding of a transaction (whitepaper, sections 2.1 and 2.5). The arithmetic takes no care to run in the same time for all keys: nobody
// measures a browser from inside its page who could not read the key there.
const MASK = (1n << 64n) - 1n;
const turned = (x, n) => ((x << n) | (x >> (64n - n))) & MASK;

// A round's constant holds seven bits of a shift register; lanes move along a path, each by its own count.
const ROUNDS = (() => {
  const list = [];
  for (let round = 0, state = 1; round < 24; round++) {
    let value = 0n;
    for (const place of [0n, 1n, 3n, 7n, 15n, 31n, 63n]) {
      if (state & 1) value |= 1n << place;
      state = state & 0x80 ? (state << 1) ^ 0x171 : state << 1;
    }
    list.push(value);
  }
  return list;
})();
const PATH = (() => {
  const list = [];
  for (let step = 1, x = 1, y = 0; step <= 24; step++) {
    list.push([x + 5 * y, BigInt((step * (step + 1) / 2) % 64), y + 5 * ((2 * x + 3 * y) % 5)]);
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return list;
})();

function mix(lanes) {
  const column = new Array(5), moved = new Array(25);
  for (const constant of ROUNDS) {
    for (let x = 0; x < 5; x++) column[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    for (let at = 0; at < 25; at++) lanes[at] ^= column[(at + 4) % 5] ^ turned(column[(at + 1) % 5], 1n);
    moved[0] = lanes[0];
    for (const [from, count, to] of PATH) moved[to] = turned(lanes[from], count);
    for (let at = 0; at < 25; at++) {
      const row = at - at % 5;
      lanes[at] = moved[at] ^ (MASK ^ moved[row + (at + 1) % 5]) & moved[row + (at + 2) % 5];
    }
    lanes[0] ^= constant;
  }
}

export function keccak256(data) {
  const block = 136, padded = new Uint8Array(data.length + block - data.length % block), lanes = new Array(25).fill(0n);
  padded.set(data);
  padded[data.length] |= 1;
  padded[padded.length - 1] |= 0x80;
  const view = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += block) {
    for (let i = 0; i < block / 8; i++) lanes[i] ^= view.getBigUint64(at + 8 * i, true);
    mix(lanes);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) out.setBigUint64(8 * i, lanes[i], true);
  return new Uint8Array(out.buffer);
}

export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.replace(/^0x/i, "").match(/../g) || [], (pair) => parseInt(pair, 16));
const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const number = (bytes) => BigInt("0x" + hex(bytes));
const bytesOf = (value, size) => unhex(value.toString(16).padStart(2 * size, "0"));

const FIELD = 2n ** 256n - 2n ** 32n - 977n;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const BASE = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n, z: 1n,
};
const field = (value) => { const rest = value % FIELD; return rest < 0n ? rest + FIELD : rest; };

function power(base, exponent, modulus) {
  let result = 1n;
  for (base %= modulus; exponent > 0n; exponent >>= 1n, base = base * base % modulus) if (exponent & 1n) result = result * base % modulus;
  return result;
}
const inverted = (value, modulus) => power(value, modulus - 2n, modulus); // both moduli are primes

// Points are x/z², y/z³; z is zero for the point at infinity.
function twice({ x, y, z }) {
  const square = field(y * y), middle = field(4n * x * square), slope = field(3n * x * x), next = field(slope * slope - 2n * middle);
  return { x: next, y: field(slope * (middle - next) - 8n * square * square), z: field(2n * y * z) };
}
function sum(p, q) {
  if (p.z === 0n) return q;
  if (q.z === 0n) return p;
  const pz = field(p.z * p.z), qz = field(q.z * q.z);
  const a = field(p.x * qz), b = field(q.x * pz), c = field(p.y * qz * q.z), d = field(q.y * pz * p.z);
  if (a === b) return c === d ? twice(p) : { x: 1n, y: 1n, z: 0n };
  const wide = field(b - a), high = field(d - c), square = field(wide * wide), cube = field(square * wide), near = field(a * square);
  const x = field(high * high - cube - 2n * near);
  return { x, y: field(high * (near - x) - c * cube), z: field(p.z * q.z * wide) };
}
function times(count) {
  let result = { x: 1n, y: 1n, z: 0n };
  for (let bit = 255n; bit >= 0n; bit--) {
    result = twice(result);
    if (count >> bit & 1n) result = sum(result, BASE);
  }
  const z = inverted(result.z, FIELD), zz = field(z * z);
  return { x: field(result.x * zz), y: field(result.y * zz * z) };
}

// readKey reads a wallet file: the armour of `cowboy wallet`, whose checksum it holds the key to, or 64 hexadecimal digits.
export async function readKey(text) {
  text = text.trim();
  let key;
  if (text.startsWith("-----BEGIN COWBOY PRIVATE KEY-----")) {
    if (!text.endsWith("-----END COWBOY PRIVATE KEY-----")) throw new Error("The file has no end line.");
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("-----"));
    const named = Object.fromEntries(lines.filter((line) => line.includes(":")).map((line) => line.split(":").map((part) => part.trim())));
    if (named.Curve && named.Curve !== "secp256k1") throw new Error(`The key is of the curve ${named.Curve}.`);
    try {
      key = Uint8Array.from(atob(lines.filter((line) => !line.includes(":")).join("")), (c) => c.charCodeAt(0));
    } catch (_) {
      throw new Error("This is no wallet file.");
    }
    const checksum = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", key)).subarray(0, 2));
    if (named.Checksum && named.Checksum.toLowerCase() !== checksum) throw new Error("The checksum does not match: the file is damaged.");
  } else if (/^(0x)?[0-9a-f]{64}$/i.test(text)) {
    key = unhex(text);
  }
  if (key?.length !== 32 || number(key) === 0n || number(key) >= ORDER) throw new Error("This is no wallet file.");
  return key;
}

export function addressOf(key) {
  const { x, y } = times(number(key));
  return keccak256(joined([bytesOf(x, 32), bytesOf(y, 32)])).subarray(12);
}

// sign gives r, s and the recovery id. The nonce is of the key, of what is signed, and of fresh bytes: neither a poor random source nor the same hash twice
// gives the key away.
export function sign(key, hash) {
  for (;;) {
    const nonce = number(keccak256(joined([key, hash, crypto.getRandomValues(new Uint8Array(32))])));
    if (nonce === 0n || nonce >= ORDER) continue;
    const { x, y } = times(nonce), r = x % ORDER;
    let s = inverted(nonce, ORDER) * (number(hash) + r * number(key)) % ORDER, id = Number(y & 1n) | (x >= ORDER ? 2 : 0);
    if (r === 0n || s === 0n) continue;
    if (s > ORDER / 2n) [s, id] = [ORDER - s, id ^ 1];
    return joined([bytesOf(r, 32), bytesOf(s, 32), [id]]);
  }
}

function uint(value) {
  const out = [];
  for (value = BigInt(value); value > 127n; value >>= 7n) out.push(Number(value & 127n) | 128);
  return [...out, Number(value)];
}
const sized = (bytes) => [...uint(bytes.length), ...bytes];

// execution is the canonical encoding of a transaction that calls a handler; without a signature, what is signed.
export function execution(t, signature = new Uint8Array(65)) {
  return joined([
    uint(t.chain), uint(t.nonce), [1, 1], unhex(t.actor), bytesOf(t.amount, 8), sized(t.handler), sized(t.payload),
    uint(t.cycles), uint(t.cells), uint(t.perCycle), uint(t.perCell), uint(0), uint(0), t.from, [0], [0], [0, 0, 0], signature, [0],
  ]);
}
