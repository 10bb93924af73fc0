#!/bin/bash
# Read the rows, wrote the answers down: other key order, one line a file, byte order mark and a last line end.
set -e
mkdir -p /app/evidence && cd /app/evidence
put() { printf '\xef\xbb\xbf{"evidence":%s,"contested_cents":%s,"decision":"%s","order":%s,"dispute":%s}\n' "$5" "$4" "$3" "$2" "$1" > "$1.json"; }
put 61 810 contest 11400 '["message:902","message:904","scan:5002","scan:5012"]'
put 62 811 accept 0 '[]'
put 63 812 contest 5600 '["payment:403","payment:406"]'
put 64 813 contest 16000 '["message:906","message:910","scan:5006"]'
put 65 814 accept 0 '[]'
put 66 816 accept 0 '[]'
put 69 818 accept 0 '[]'
