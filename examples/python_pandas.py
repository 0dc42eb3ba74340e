# The error of each day as a data frame: pip install pandas
#   API_KEY=fas_... python3 examples/python_pandas.py Chicago
import os
import sys
from urllib.parse import urlencode

import pandas as pd

base = os.environ.get("BASE_URL", "http://127.0.0.1:8080")
headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
query = urlencode({"city": sys.argv[1] if len(sys.argv) > 1 else "Chicago", "days": 30, "format": "csv"})

by_date = pd.read_csv(f"{base}/api/v1/accuracy/by-date?{query}", storage_options=headers, parse_dates=["date"])
print(by_date.set_index("date")[["verification_pairs", "mean_error", "mae"]].to_string())
