// The bytes of making a key among proxies, and of time locks, by another library: @noble/curves 1.9 for the groups, hashing to G2 and the pairing; SHA-2, HKDF
// and AES of Node; keccak256 of @noble/hashes. `npm install @noble/curves@1.9.7 && node hidden.mjs > hidden.json` beside it makes them again.
import { bls12_381 as bls } from '@noble/curves/bls12-381';
import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import crypto from 'node:crypto';

const r = bls.params.r, mod = (n) => ((n % r) + r) % r;
const text = (s) => Buffer.from(s), hex = (b) => Buffer.from(b).toString('hex');
const be = (n, size) => Buffer.from(BigInt(n).toString(16).padStart(2 * size, '0'), 'hex');
const le8 = (n) => Buffer.from(be(n, 8)).reverse();
const sha512 = (...parts) => crypto.createHash('sha512').update(Buffer.concat(parts)).digest();
const keccak = (...parts) => Buffer.from(keccak_256(Buffer.concat(parts)));
const wide = (...parts) => BigInt('0x' + hex(sha512(...parts))) % r;
const named = (...parts) => wide(text(parts.join(' ')));
const scalar = (n) => be(n, 32), point = (p) => Buffer.from(p.toRawBytes(true));
const inverse = (n) => { let a = mod(n), b = r, x = 1n, y = 0n; while (a > 1n) { const q = b / a;[b, a] = [a, b % a];[y, x] = [x, y - q * x]; } return mod(x); };
const G = bls.G2.ProjectivePoint.BASE;
const H = bls.G2.ProjectivePoint.fromAffine(bls.G2.hashToCurve(text('H'), { DST: 'cbss/dkg-pedersen/v1' }).toAffine());
const at = (poly, x) => poly.reduceRight((sum, c) => mod(sum * BigInt(x) + c), 0n);

// Three dealers of a key that three of four places open.
const quorum = 3, places = [1, 2, 3, 4], dealers = [1, 2, 3];
const polys = dealers.map((d) => [...Array(quorum).keys()].map((k) => named('coefficient', d, k)));
const blinds = dealers.map((d) => [...Array(quorum).keys()].map((k) => named('blind', d, k)));
const hide = (p, b) => p.map((c, k) => G.multiply(c).add(H.multiply(b[k])));
const hidden = dealers.map((_, i) => hide(polys[i], blinds[i]));
const sum = (list) => list.reduce((a, b) => a.add(b));
const all = [...Array(quorum).keys()].map((k) => sum(hidden.map((h) => h[k])));
const clear = [...Array(quorum).keys()].map((k) => sum(polys.map((p) => G.multiply(p[k]))));
const context = keccak(text('context'));
const openings = places.map((x) => {
	const s = mod(polys.reduce((n, p) => n + at(p, x), 0n)), b = mod(blinds.reduce((n, p) => n + at(p, x), 0n));
	const k1 = named('k1', x), k2 = named('k2', x);
	const E = all.reduceRight((p, c) => p === null ? c : p.multiply(BigInt(x)).add(c), null), S = G.multiply(s);
	const c = wide(text('cbss/dkg-opening/v1'), Buffer.from([x]), point(E), point(S), point(G.multiply(k1)), point(H.multiply(k2)), context);
	return { place: x, share: hex(scalar(s)), blind: hex(scalar(b)), k1: hex(scalar(k1)), k2: hex(scalar(k2)), public: hex(point(S)),
		challenge: hex(scalar(c)), response: hex(scalar(mod(k1 + c * s))), second: hex(scalar(mod(k2 + c * b))) };
});

// What a dealer signs, with secp256k1.
const chain = 100, session = Buffer.alloc(32, 7), dealer = Buffer.alloc(32, 4), key = keccak(text('dealer'));
const body = Buffer.concat([be(chain, 8), session, dealer, Buffer.from([2, quorum]), ...hidden[0].map(point), scalar(at(polys[0], 2)), scalar(at(blinds[0], 2))]);
const digest = keccak(text('cbss/dkg-hidden-deal/v1'), body);
const signed = secp256k1.sign(digest, key);
const deal = { key: hex(key), body: hex(body), hash: hex(digest), signed: hex(Buffer.concat([body, signed.toCompactRawBytes(), Buffer.from([signed.recovery])])) };

// A time lock: its identity, and an envelope that is opened with the master secret times that identity.
const account = Buffer.from([...Array(20).keys()].map((i) => i + 1)), keyHash = keccak(account, text('LETTER')), epoch = 7, round = [2, 900];
const lock = keccak(text('cbss/tlock/v1'), account, keyHash, be(round[0], 8), be(round[1], 8));
const master = clear[0], secret = mod(polys.reduce((n, p) => n + p[0], 0n));
const aad = Buffer.concat([be(chain, 8), account, lock, le8(0), le8(epoch), point(master)]);
const I = bls.G1.ProjectivePoint.fromAffine(bls.G1.hashToCurve(aad, { DST: 'cbss/ibe/v1' }).toAffine());
const rr = named('r'), U = G.multiply(rr), sigma = I.multiply(secret);
const { Fp12 } = bls.fields, f = bls.pairing(sigma, U);
const pair = ({ c0, c1 }) => [be(c0, 48), be(c1, 48)];
const tower = (f) => Buffer.concat([f.c0.c0, f.c0.c1, f.c0.c2, f.c1.c0, f.c1.c1, f.c1.c2].flatMap(pair));
const nonce = crypto.createHash('sha256').update('nonce').digest().subarray(0, 12), data = crypto.createHash('sha256').update('data key').digest();
const seal = (value) => {
	const k = Buffer.from(crypto.hkdfSync('sha256', value, 'cbss/ibe/v1', Buffer.concat([text('cbss/ibe/v1'), aad]), 32));
	const c = crypto.createCipheriv('aes-256-gcm', k, nonce); c.setAAD(aad);
	return Buffer.concat([c.update(data), c.final(), c.getAuthTag()]);
};

// What proxies sign and number among each other: the session of a key that is made, an acknowledgement, a proposal of two dealers for three members, a vote.
const committee = [1, 2, 3, 4, 5].map((n) => Buffer.alloc(32, n)), scope = Buffer.concat([Buffer.from([0]), account]);
const list = (ids) => Buffer.concat([Buffer.from([ids.length]), ...ids]);
const sessionId = keccak(text('cbss/dkg-session/v1'), be(chain, 8), be(1, 8), be(900, 8), scope, list(committee), list(committee), Buffer.from([quorum]));
const hashOf = (d) => crypto.createHash('sha256').update(Buffer.concat(hidden[d - 1].map(point))).digest();
const ack = keccak(text('cbss/dkg-ack/v1'), sessionId, Buffer.from([3]), hashOf(3));
const members = [1, 2, 4], mark = (d, m) => Buffer.concat([Buffer.from([m]), Buffer.alloc(65, 16 * d + m)]);
const log = (d) => Buffer.concat([Buffer.from([d, quorum]), ...hidden[d - 1].map(point), Buffer.from([members.length]), ...members.map((m) => mark(d, m))]);
const proposal = Buffer.concat([Buffer.from([members.length, ...members]), Buffer.from([2]), log(1), log(3)]);
const proposalHash = keccak(text('cbss/dkg-proposal/v1'), sessionId, proposal);
const messages = { session: hex(sessionId), ack: hex(ack), proposal: hex(proposal), hash: hex(proposalHash), vote: hex(keccak(text('cbss/dkg-vote/v1'), proposalHash)) };
const out = { messages, chain, account: hex(account), name: 'LETTER', context: hex(context), second: hex(point(H)),
	coefficients: polys.map((p) => p.map((c) => hex(scalar(c)))), blinds: blinds.map((p) => p.map((c) => hex(scalar(c)))),
	hidden: hidden.map((h) => h.map((p) => hex(point(p)))), all: all.map((p) => hex(point(p))), clear: clear.map((p) => hex(point(p))), openings, deal,
	session: hex(session), dealer: hex(dealer),
	lock: { epoch, round, id: hex(lock), aad: hex(aad), identity: hex(point(I)), r: hex(scalar(rr)), ephemeral: hex(point(U)), sigma: hex(point(sigma)),
		pairing: hex(tower(f)), nonce: hex(nonce), data: hex(data), sealed: hex(seal(tower(f))) } };
console.log(JSON.stringify(out, null, 1));
