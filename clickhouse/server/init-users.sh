#!/bin/bash
# Makes the users of users.sql when the ClickHouse image starts on an empty volume (docker-compose.yml mounts both).
# The image calls scripts in /docker-entrypoint-initdb.d once, while its server listens on loopback only.
set -euo pipefail
: "${CLICKHOUSE_PASSWORD:?set ADMIN_PASSWORD in .env}" "${API_PASSWORD:?set it in .env}"
: "${LOADER_PASSWORD:?set it in .env}" "${OWNER_PASSWORD:?set it in .env}"
clickhouse-client --host 127.0.0.1 --user "$CLICKHOUSE_USER" --password "$CLICKHOUSE_PASSWORD" \
    --param_api_password="$API_PASSWORD" \
    --param_loader_password="$LOADER_PASSWORD" \
    --param_owner_password="$OWNER_PASSWORD" \
    --queries-file /etc/forecast-accuracy/users.sql
