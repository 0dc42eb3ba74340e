#!/bin/sh
# How good were the forecasts of the last 30 days? With curl alone.
#   API_KEY=fas_... sh examples/curl.sh
set -eu
: "${API_KEY:?set it to an API key}"
api=${BASE_URL:-http://127.0.0.1:8080}/api/v1

get() { curl -fsS -H "Authorization: Bearer $API_KEY" "$@"; }

# The nine statistics of one city, as JSON.
get "$api/accuracy/summary?city=Chicago&days=30"
echo

# The five cities with the smallest error, as a table.
get "$api/accuracy/by-city?sort_by=mae&days=30&format=csv" | head -n 6

# A poll that costs nothing while the data are the same: 304, no body.
etag=$(get -o /dev/null -D - "$api/accuracy/summary?days=30" | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
get -o /dev/null -w '%{http_code}\n' -H "If-None-Match: $etag" "$api/accuracy/summary?days=30"
