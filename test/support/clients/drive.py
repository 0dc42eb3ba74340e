"""Reads {url, key, options, calls: [[method, parameters]]}; prints what came of each call."""

import json
import sys
from http.client import HTTPResponse

from forecast_accuracy_client import ForecastAccuracy, ForecastAccuracyError

asked = json.load(sys.stdin)
client = ForecastAccuracy(asked["url"], asked["key"], **asked["options"])


def watched(versions):
    """What a stream brought until no other try is of use."""
    found = []
    try:
        for version in versions:
            found.append(version)
    except ForecastAccuracyError:
        return found


def call(method, parameters):
    try:
        answer = getattr(client, method)(**parameters)
        if method == "watch":
            return watched(answer)
        if method == "pairs":
            return list(answer)
        return answer.read().decode() if isinstance(answer, HTTPResponse) else answer
    except ForecastAccuracyError as error:
        told = ["code", "details", "status", "request_id", "retry_after"]
        return {name: getattr(error, name) for name in told}


json.dump([call(*each) for each in asked["calls"]], sys.stdout)
