# The log of sealed versions, for verify.py and witness.py: requests, signed checkpoints, proofs. Python 3.9 and openssl.
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


def sha(data):
    return hashlib.sha256(data).digest()


def get(path):
    base, key = os.environ.get("BASE_URL", "http://127.0.0.1:8080"), os.environ.get("API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        return urlopen(Request(f"{base}/api/v1/{path}", headers=headers))
    except URLError as error:  # no answer says nothing about the log, so the exit code is another one
        print(f"{path}: {error.read().decode() if isinstance(error, HTTPError) else error.reason}", file=sys.stderr)
        raise SystemExit(2) from None


def get_data(path):
    with get(path) as response:
        return json.load(response)["data"]


def read_checkpoint(note, verifier_key):
    """Origin, size and root of a checkpoint. With a key (NAME+ID+BASE64) it has to be signed by that."""
    if verifier_key and not is_signed(note, verifier_key):
        raise SystemExit(f"the checkpoint has no good signature of {verifier_key}")
    origin, size, root = note.split("\n")[:3]
    return origin, int(size), base64.b64decode(root)


def is_signed(note, verifier_key):
    """Whether a key signed a note (c2sp.org/signed-note). Python has no Ed25519 of its own, so openssl verifies it."""
    text, lines = note.rsplit("\n\n", 1)
    name, key_id, key = verifier_key.split("+", 2)
    key = base64.b64decode(key)
    good_id = sha(f"{name}\n".encode() + key)[:4]
    signatures = [base64.b64decode(line.split(" ")[2]) for line in lines.splitlines() if line.startswith(f"— {name} ")]
    signature = next((each[4:] for each in signatures if each[:4] == good_id), None)
    if good_id.hex() != key_id or key[0] != 1 or signature is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("text", "signature", "key")]
        der = bytes.fromhex("302a300506032b6570032100") + key[1:]
        for name, content in zip(names, (f"{text}\n".encode(), signature, der)):
            with open(name, "wb") as file:
                file.write(content)
        command = ["openssl", "pkeyutl", "-verify", "-rawin", "-in", names[0], "-sigfile", names[1], "-pubin"]
        return subprocess.run([*command, "-keyform", "DER", "-inkey", names[2]], capture_output=True).returncode == 0


def node(left, right):
    return sha(b"\1" + left + right)


def split(size):
    """The largest power of two below a size: that many leaves are on the left (RFC 9162, 2.1)."""
    return 1 << ((size - 1).bit_length() - 1)


def root_of_leaf(index, size, leaf, proof):
    """The root that an inclusion proof leads to. It takes the hashes off the end of the proof."""
    if size == 1:
        return leaf
    left, sibling = split(size), proof.pop()
    if index < left:
        return node(root_of_leaf(index, left, leaf, proof), sibling)
    return node(sibling, root_of_leaf(index - left, size - left, leaf, proof))


def roots_of_growth(first, size, proof, known):
    """The roots of the first leaves and of all, as a consistency proof says. known is the root of the first."""
    if first == size:
        return (known or proof.pop(),) * 2
    left, sibling = split(size), proof.pop()
    if first <= left:
        begun, all_ = roots_of_growth(first, left, proof, known)
        return begun, node(all_, sibling)
    begun, all_ = roots_of_growth(first - left, size - left, proof, None)
    return node(sibling, begun), node(sibling, all_)


def check_growth(old, new):
    """Ends the program unless the log of a checkpoint begins with that of an older one. Both as read_checkpoint gives them."""
    (origin, first, root), (new_origin, size, new_root) = old, new
    if (origin, True) != (new_origin, first <= size):
        raise SystemExit(f"the log is another: kept {origin} with {first} versions, now {new_origin} with {size}")
    proof = get_data(f"seals/consistency?from={first}&to={size}")["proof"] if 0 < first < size else []
    proof = [base64.b64decode(each) for each in proof]
    try:
        is_grown = first == 0 or roots_of_growth(first, size, proof, root) == (root, new_root)
    except IndexError:
        is_grown = False
    if not is_grown or proof:
        raise SystemExit(f"the log was rewritten: the {first} versions that were kept are not the first of the {size} now")
