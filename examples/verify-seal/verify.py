# Checks one sealed version of the data with nothing but exports (docs/seals.md). Python 3.9, and openssl for the signature.
#   BASE_URL=https://forecasts.example.org python3 verify.py v7 [NAME+ID+BASE64] [kept-checkpoint.txt ...]
# It makes the digests anew from /export/facts, then checks their leaf, its place in the log, the checkpoint's signature by the
# verifier key if that is given, and that the log still begins with the one of each kept checkpoint.
import base64
import csv
import hashlib
import io
import json
import pathlib
import sys

from seal_log import check_growth, get, get_data, read_checkpoint, root_of_leaf, sha

version, *rest = sys.argv[1:]
key = next((word for word in rest if word.count("+") >= 2), None)
seal = get_data(f"seals/{version}")
leaf = json.loads(seal["leaf"])

days = {}
with get(f"export/facts?version={version}&format=csv") as response:
    for row in csv.DictReader(io.TextIOWrapper(response, "utf-8", newline="")):
        days.setdefault((row["feed"], row["day"]), []).append(row["line"])
months = {}
for (feed, day), lines in sorted(days.items()):
    month = months.setdefault((feed, day[:7] or "all"), {"rows": 0, "hash": hashlib.sha256()})
    month["rows"] += len(lines)
    month["hash"].update(day.encode() + sha("\n".join(sorted(lines)).encode()))
found = [
    {"feed": feed, "month": month, "root": each["hash"].hexdigest(), "rows": each["rows"]}
    for (feed, month), each in sorted(months.items())
]

# The seal lists the months, and its leaf has the hash of the list as canonical JSON: names in order, without spaces.
canonical = json.dumps(seal["months"], sort_keys=True, separators=(",", ":"))
if sha(canonical.encode()).hex() != leaf["facts"]["sha256"]:
    sys.exit(f"{version}: the months of the seal are not those of its leaf")
sealed = {(each["feed"], each["month"]): each for each in seal["months"]}
actual = {(each["feed"], each["month"]): each for each in found}
for place in sorted(sealed.keys() | actual.keys()):
    if sealed.get(place) != actual.get(place):
        rows = [each.get(place, {"rows": 0})["rows"] for each in (sealed, actual)]
        sys.exit(f"{version}: {place[0]} of {place[1]} are not as sealed: {rows[0]} rows sealed, {rows[1]} exported")

checkpoint = read_checkpoint(seal["checkpoint"], key)
_, size, root = checkpoint
proof = [base64.b64decode(each) for each in seal["proof"]]
if root_of_leaf(seal["index"], size, sha(b"\0" + seal["leaf"].encode()), proof) != root or proof:
    sys.exit(f"{version}: its leaf is not in the log of the checkpoint")
for name in (word for word in rest if word != key):
    check_growth(read_checkpoint(pathlib.Path(name).read_text(encoding="utf-8"), key), checkpoint)
print(f"{version}: {leaf['facts']['rows']} facts are as sealed at {leaf['recorded_at']}")
print(seal["checkpoint"], end="")
