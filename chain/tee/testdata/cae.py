"""Composite attestations, made without the chain's code: CBOR by RFC 8949 section 4.2, Keccak by FIPS 202's permutation with the older padding, signatures by the
library cryptography. Run once: python3 cae.py > cae.json."""
import hashlib, json
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives import hashes, serialization


def keccak256(message):
    def rot(a, n):
        n %= 64
        return ((a << n) | (a >> (64 - n))) & (2**64 - 1) if n else a

    lanes = [0] * 25
    data = bytearray(message)
    data += bytes(136 - len(data) % 136)
    data[len(message)] ^= 1
    data[-1] ^= 0x80
    for at in range(0, len(data), 136):
        for i in range(17):
            lanes[i] ^= int.from_bytes(data[at + 8 * i : at + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            c = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
            lanes = [lanes[i] ^ c[(i + 4) % 5] ^ rot(c[(i + 1) % 5], 1) for i in range(25)]
            x, y, carried = 1, 0, lanes[1]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                carried, lanes[x + 5 * y] = lanes[x + 5 * y], rot(carried, (t + 1) * (t + 2) // 2)
            lanes = [lanes[i] ^ (~lanes[i - i % 5 + (i + 1) % 5] & lanes[i - i % 5 + (i + 2) % 5]) for i in range(25)]
            for j in range(7):
                if lfsr & 1:
                    lanes[0] ^= 1 << ((1 << j) - 1)
                lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"


def cbor(value):
    def head(major, n):
        for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if n < 24:
                return bytes([major << 5 | n])
            if n < 1 << 8 * size:
                return bytes([major << 5 | info]) + n.to_bytes(size, "big")

    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value)) + value.encode()
    entries = sorted((cbor(k), cbor(v)) for k, v in value.items())
    return head(5, len(entries)) + b"".join(k + v for k, v in entries)


def fill(text, size):
    out = b""
    while len(out) < size:
        out += hashlib.sha512(text.encode() + bytes([len(out) // 64])).digest()
    return out[:size]


def ecdsa(key, message, algorithm, size):
    r, s = decode_dss_signature(key.sign(message, ec.ECDSA(algorithm)))
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def quote(kind, measurement, report):
    """The fields at the places that the vendors' documents give: DCAP quotes 3 and 4, and the report of SEV-SNP's firmware ABI."""
    if kind == "Sgx":
        body = bytearray(fill("sgx", 600))
        body[0:8] = (3).to_bytes(2, "little") + (2).to_bytes(2, "little") + bytes(4)
        body[48 + 64 : 48 + 96], body[48 + 320 : 48 + 384] = measurement[:32], report
    elif kind == "Tdx":
        body = bytearray(fill("tdx", 900))
        body[0:8] = (4).to_bytes(2, "little") + (2).to_bytes(2, "little") + (0x81).to_bytes(4, "little")
        body[48 + 136 : 48 + 184], body[48 + 520 : 48 + 584] = measurement, report
    elif kind == "SevSnp":
        body = bytearray(fill("sev", 1184))
        body[0:4] = (2).to_bytes(4, "little")
        body[0x50:0x90], body[0x90:0xC0] = report, measurement
    else:
        body = fill("nitro", 300)
    return bytes(body)


def case(name, kind, scheme, gpu=False, pcr=False, extra=None, bound=True):
    job, request, seed, result = (hashlib.sha256(f"{name} {what}".encode()).digest() for what in ("job", "request", "seed", "result"))
    runner, root, tcb, lists = fill(name + " runner", 20), fill(name + " root", 32), fill(name + " tcb", 16), fill(name + " lists", 32)
    big = kind in ("SevSnp", "Nitro")
    trusted = ec.derive_private_key(int.from_bytes(fill(name + " trusted", 31), "big"), ec.SECP384R1() if big else ec.SECP256R1())
    if scheme == "Ed25519":
        service = ed25519.Ed25519PrivateKey.from_private_bytes(fill(name + " service", 32))
        public = service.public_key().public_bytes_raw()
    else:
        n = 1
        while point(service := ec.derive_private_key(n, ec.SECP256R1()))[-1] & 1:
            n += 1
        public = point(service)[1:33]
    measurement = fill(name + " measurement", 32) + bytes(16) if kind == "Sgx" else fill(name + " measurement", 48)
    nonce = keccak256(job + request + seed)
    accelerator = fill(name + " gpu", 48)
    report = keccak256(nonce + public + (accelerator if gpu else b"")) + bytes(32)
    cpu = {"tee_type": kind, "quote": quote(kind, measurement, report), "cert_chain_cid": fill(name + " cid", 36), "measurement": measurement}
    if pcr:
        cpu["pcr_extension"] = fill(name + " pcr", 32)
    cae = {"version": 1, "cpu": cpu, "freshness": {"nonce": nonce, "deadline": 1100, "generated_at": 1000}}
    if gpu:
        cae["gpu"] = {
            "gpu_type": "NvidiaNcc", "nras_token": fill(name + " token", 500), "gpu_measurement": accelerator,
            "bound_cpu_pubkey": public if bound else fill(name + " other", 32),
        }
    if extra is not None:
        cae["extra"] = extra
    attest = keccak256(cbor(cae))
    message = job + request + result + attest
    sig = service.sign(message) if scheme == "Ed25519" else ecdsa(service, message, hashes.SHA256(), 32)
    cae["service_sig"] = {"scheme": scheme, "pubkey": public, "sig": sig}
    short = {"Sgx": b"sgx", "SevSnp": b"sev", "Tdx": b"tdx", "Nitro": b"nitro"}[kind]
    measured = keccak256(measurement)
    payload = b"cowboy/tee-verifier/cae/v1" + job + runner + bytes([len(short)]) + short + measured + attest + root + tcb + lists
    vouch = ecdsa(trusted, payload, hashes.SHA384() if big else hashes.SHA256(), 48 if big else 32)
    return {
        "name": name, "type": short.decode(), "cae": cbor(cae).hex(), "digest": attest.hex(), "report": report.hex(), "job": job.hex(), "request": request.hex(),
        "seed": seed.hex(), "result": result.hex(), "runner": runner.hex(), "root": root.hex(), "tcb": tcb.hex(), "revoked": lists.hex(), "measured": measured.hex(),
        "trusted": point(trusted).hex(), "vouch": vouch.hex(),
    }


print(json.dumps([
    case("a processor and an accelerator", "Tdx", "Ed25519", gpu=True, extra=b"more"),
    case("a processor", "SevSnp", "EcdsaP256", pcr=True),
    case("an enclave", "Sgx", "Ed25519"),
    case("a virtual machine", "Nitro", "EcdsaP256", pcr=True),
    case("an accelerator of another service", "Tdx", "Ed25519", gpu=True, bound=False),
], indent=1))
