# Posts each version of the data to a webhook as it comes, with the client of clients/python; ends when it is stopped.
#   API_KEY=fas_... PYTHONPATH=clients/python python3 examples/python_follow.py --follow https://hooks.example/forecasts
import argparse
import json
import os
from urllib.request import Request, urlopen

from forecast_accuracy_client import ForecastAccuracy

parser = argparse.ArgumentParser()
parser.add_argument("--follow", required=True, metavar="URL", help="where each version is posted, with the loads since the one before")
parser.add_argument("--after", help="the last version that you have, such as v412.k7q2; default: begin with the latest")
options = parser.parse_args()

client = ForecastAccuracy(os.environ.get("BASE_URL", "http://127.0.0.1:8080"), os.environ["API_KEY"])
for version in client.watch(options.after):
    body = json.dumps(version).encode()
    with urlopen(Request(options.follow, body, {"Content-Type": "application/json"})) as response:
        print(version["id"], response.status, flush=True)
