# The cities by their error, with Python's own library alone.
#   API_KEY=fas_... python3 examples/python_plain.py
import json
import os
from urllib.request import Request, urlopen

base = os.environ.get("BASE_URL", "http://127.0.0.1:8080")
headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}

with urlopen(Request(f"{base}/api/v1/accuracy/by-city?sort_by=mae&days=30", headers=headers)) as response:
    for city in json.load(response)["data"]:
        stats = city["stats"]
        print(city["station_id"], stats["verification_pairs"], stats["mae"], stats["mean_error"])
