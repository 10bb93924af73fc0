#!/bin/bash
export PATH=/usr/local/bin:/usr/bin:/bin
exec python3 -I -B -X pycache_prefix=/nowhere /tests/fairtrial.pyz /tests
