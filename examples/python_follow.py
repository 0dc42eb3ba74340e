# Posts each event to a webhook as it happens, with the client of clients/python; ends when it is stopped.
#   API_KEY=fas_... PYTHONPATH=clients/python python3 examples/python_follow.py --follow https://hooks.example/forecasts
import argparse
import json
import os
from urllib.request import Request, urlopen

from forecast_accuracy_client import ForecastAccuracy

options = argparse.ArgumentParser()
options.add_argument("--follow", required=True, metavar="URL", help="where each event is posted")
options.add_argument("--since", help="first the events after this one, such as v412; default: from now on")
options.add_argument("--kind", help="only these, such as version,alarm")
asked = options.parse_args()

client = ForecastAccuracy(os.environ.get("BASE_URL", "http://127.0.0.1:8080"), os.environ["API_KEY"])
for event in client.watch(since=asked.since, kind=asked.kind):
    body = json.dumps(event).encode()
    with urlopen(Request(asked.follow, body, {"Content-Type": "application/json"})) as answer:
        print(event["id"], event["event"], answer.status, flush=True)
