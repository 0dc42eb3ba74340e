#!/bin/sh
# sudo forecast-accuracy COMMAND …: any command, as the user of the service and with its settings.
set -eau
. /etc/forecast-accuracy.env
umask 077
exec setpriv --reuid=forecast-accuracy --regid=forecast-accuracy --init-groups \
    /usr/bin/node /opt/forecast-accuracy-service/dist/src/main.cjs "$@"
