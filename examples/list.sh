#!/bin/sh
# list.sh NAME sources|arguments|expect: one column of list.txt for the example NAME.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case $2 in
  sources) column=2 ;;
  arguments) column=3 ;;
  expect) column=4 ;;
  *) echo "list.sh: no column $2" >&2; exit 1 ;;
esac
awk -F ' *[|] *' -v name="$1" -v column="$column" -v here="$here" '
  !/^#/ && $1 == name {
    text = $column
    gsub (/ +$/, "", text)
    gsub (/@examples@/, here, text)
    print text
    found = 1
  }
  END { if (!found) { print "list.sh: no example " name > "/dev/stderr"; exit 1 } }
' "$here/list.txt"
