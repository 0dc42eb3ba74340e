#!/bin/sh
# A nightly job: all pairs of some years as Parquet, pairs/2025.parquet and so on, all of one version of the data. The
# files of a version stay together in a folder of its own, and pairs is a link to the latest that is whole. Without a load
# since the last run nothing is downloaded; a run after a failure keeps what it has, or begins a newer version.
#   API_KEY=fas_... sh examples/export-parquet.sh 2024 2025 2026
set -eu
: "${API_KEY:?set it to an API key}"
url="${BASE_URL:-http://127.0.0.1:8080}/api/v1/export/pairs?format=parquet"

get() { curl -fsS --retry 5 -H "Authorization: Bearer $API_KEY" "$@"; }

# The version of now, 412.0 for instance. Every file is asked for by it, so a load half way through changes none of them.
headers=$(get --head "$url")
cursor=$(printf '%s\n' "$headers" | tr -d '\r' | awk 'tolower($1) == "x-export-cursor:" { print $2 }')
folder=pairs-${cursor%.*}
mkdir -p "$folder"

for year in "$@"; do
  file=$folder/$year.parquet
  if [ -e "$file" ]; then continue; fi
  # A transfer that is broken off is an error of curl's (18), and leaves no file of that name.
  get -o "$file.part" "$url&cursor=$cursor&date_from=$year-01-01&date_to=$year-12-31"
  mv "$file.part" "$file"
done

before=$(readlink pairs || true)
if [ "$before" = "$folder" ]; then exit 0; fi
ln -sfn "$folder" pairs
# Whoever reads the version before goes on with it until the next one is there.
for old in pairs-*; do
  case $old in "$folder" | "$before") ;; *) rm -r "$old" ;; esac
done
