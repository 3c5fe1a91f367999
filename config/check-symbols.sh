#!/bin/sh
# check-symbols.sh READELF LIBRARY MAP -- the shared library has each symbol of the version script MAP in
# each version that names it.
#
# The linker does not say when a symbol of the script is not defined, and a compiler may only warn when it
# does not know how to give a symbol two versions.

readelf=$1 library=$2 map=$3
[ -f "$library" ] || exit 0	# --disable-shared
[ "$readelf" != : ] || { echo "check-symbols.sh: readelf is missing: the symbols are not checked" >&2; exit 0; }
symbols=$("$readelf" -W --dyn-syms "$library") || exit 1
printf '%s\n' "$symbols" | awk -v map="$map" -v library="$library" '
  $7 != "UND" { sub (/@@/, "@", $8); have[$8] = 1 }
  END {
    while ((getline line < map) > 0)
      {
	if (match (line, /^[A-Z]+_[0-9.]+ [{]/))
	  node = substr (line, 1, RLENGTH - 2)
	else if (match (line, /^ +[A-Za-z_0-9]+;/))
	  {
	    name = line
	    gsub (/[ ;]/, "", name)
	    wanted++
	    if (! ((name "@" node) in have))
	      missing = missing "\n  " name " of version " node
	  }
      }
    if (wanted < 300)
      missing = missing "\n  " map " cannot be read: it has only " wanted + 0 " symbols"
    if (missing != "")
      {
	print library " lacks symbols of its version script, which this compiler or linker has left out:" missing
	exit 1
      }
  }' >&2
