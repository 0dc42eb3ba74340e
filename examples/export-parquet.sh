#!/bin/sh
# All pairs of some years as Parquet, one file a year, all of one version of the data. A file that is there is whole;
# run again after a failure, it goes on with the next one.
#   API_KEY=fas_... sh examples/export-parquet.sh 2024 2025 2026
set -eu
: "${API_KEY:?set it to an API key}"
api=${BASE_URL:-http://127.0.0.1:8080}/api/v1

for year in "$@"; do
  file=pairs-$year.parquet
  if [ -e "$file" ]; then continue; fi
  cursor=$(cat pairs.cursor 2> /dev/null || true)
  # A transfer that is broken off is an error of curl's (18), and a Parquet file that is cut has no footer.
  curl -fsS --retry 5 -H "Authorization: Bearer $API_KEY" -D "$file.headers" -o "$file.part" \
    "$api/export/pairs?format=parquet&date_from=$year-01-01&date_to=$year-12-31${cursor:+&cursor=$cursor}"
  tr -d '\r' < "$file.headers" | awk 'tolower($1) == "x-export-cursor:" { print $2 }' > pairs.cursor
  mv "$file.part" "$file"
  rm "$file.headers"
done
