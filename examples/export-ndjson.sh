#!/bin/sh
# All pairs of a window as NDJSON. When it is broken off, it goes on behind the last whole line, with the same version of
# the data; run again after it was stopped, too.
#   API_KEY=fas_... sh examples/export-ndjson.sh 2026-01-01 2026-06-30 pairs.ndjson
set -eu
: "${API_KEY:?set it to an API key}"
url="${BASE_URL:-http://127.0.0.1:8080}/api/v1/export/pairs?format=ndjson&date_from=$1&date_to=$2"
file=$3

get() { curl -fsS -H "Authorization: Bearer $API_KEY" "$@"; }
header() { tr -d '\r' < "$file.headers" | awk -v name="$1:" 'tolower($1) == name { print $2 }'; }

if [ ! -e "$file.headers" ]; then
  get --head "$url" > "$file.headers.new"
  mv "$file.headers.new" "$file.headers"
fi
version=$(header x-export-cursor) version=${version%.*}
total=$(header x-total-pairs)
touch "$file"

for _attempt in 1 2 3 4 5 6 7 8 9 10; do
  rows=$(($(wc -l < "$file")))
  head -n "$rows" "$file" > "$file.whole"
  mv "$file.whole" "$file"
  if [ "$rows" -eq "$total" ]; then
    rm "$file.headers"
    echo "$total pairs of version $version"
    exit 0
  fi
  get --retry 5 "$url&cursor=$version.$rows" >> "$file" || sleep 1
done
echo "$file has $rows of $total pairs; run this again to go on" >&2
exit 1
