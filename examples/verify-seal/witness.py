# A witness: keeps each checkpoint of a log of sealed versions, and says if the log was rewritten. For cron, each hour or day.
#   BASE_URL=https://forecasts.example.org python3 witness.py kept/ 'NAME+ID+BASE64'
# The second argument is the verifier key of the log, where it signs. On a change it exits with 1 and keeps nothing new;
# without an answer of the service it exits with 2.
import pathlib
import sys

from seal_log import check_growth, get, read_checkpoint

folder, key = pathlib.Path(sys.argv[1]), (sys.argv[2:] or [None])[0]
folder.mkdir(parents=True, exist_ok=True)
with get("seals") as response:
    note = response.read().decode()
new = read_checkpoint(note, key)
kept = sorted(folder.glob("*.txt"))
for file in kept[-1:]:
    check_growth(read_checkpoint(file.read_text(encoding="utf-8"), key), new)
name = f"{new[1]:09}.txt"
(folder / name).write_text(note, encoding="utf-8")
print(f"{new[0]}: {new[1]} versions, kept as {name}")
