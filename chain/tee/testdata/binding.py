"""Bindings and their proofs, made without the chain's code, with what cae.py has of other programs. Run once: python3 binding.py > binding.json."""
import contextlib, io, json
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives import hashes

with contextlib.redirect_stdout(io.StringIO()):
    from cae import ecdsa, fill, keccak256, point

TYPES = {"sgx": 1, "sev": 2, "tdx": 3, "nitro": 4}


def case(name, kind, measurements, accelerators, service):
    runner, beacon = fill(name + " runner", 20), fill(name + " beacon", 96)
    listed = sorted(keccak256(fill(f"{name} measurement {n}", 48)) for n in range(measurements))
    cards = sorted(keccak256(fill(f"{name} accelerator {n}", 48)) for n in range(accelerators))
    scheme, public = 0, bytes(32)
    if service == "Ed25519":
        public = fill(name + " service", 32)
    elif service == "EcdsaP256":
        scheme, n = 1, 1
        while point(key := ec.derive_private_key(n, ec.SECP256R1()))[-1] & 1:
            n += 1
        public = point(key)[1:33]
    form = bytes([TYPES[kind], len(listed)]) + b"".join(listed) + bytes([len(cards)]) + b"".join(cards) + bytes([scheme]) + public
    digest, nonce = keccak256(form), keccak256(runner + beacon)
    big = kind in ("sev", "nitro")
    trusted = ec.derive_private_key(int.from_bytes(fill(name + " trusted", 31), "big"), ec.SECP384R1() if big else ec.SECP256R1())
    short, measured = kind.encode(), listed[-1]
    payload = b"cowboy/tee-verifier/binding/v1" + nonce + runner + bytes([len(short)]) + short + measured + digest
    signature = ecdsa(trusted, payload, hashes.SHA384() if big else hashes.SHA256(), 48 if big else 32)
    proof = bytes([TYPES[kind]]) + measured + digest + bytes([len(signature)]) + signature
    return {
        "name": name, "type": kind, "runner": runner.hex(), "beacon": beacon.hex(), "measurements": [m.hex() for m in listed],
        "accelerators": [a.hex() for a in cards], "scheme": scheme, "service": public.hex(), "hash": digest.hex(), "nonce": nonce.hex(),
        "trusted": point(trusted).hex(), "proof": proof.hex(),
    }


print(json.dumps([
    case("one measurement alone", "sgx", 1, 0, None),
    case("processors, accelerators and a service", "tdx", 3, 2, "Ed25519"),
    case("as many as there may be", "sev", 8, 8, "EcdsaP256"),
    case("a virtual machine", "nitro", 2, 0, "Ed25519"),
], indent=1))
