#!/bin/bash
# Every OpenMP symbol is exported with its version node, hidden or default, and nothing
# else is: symbols.tsv against the built library.
# TEST-MODES: host
. "$(dirname "$0")/aux-common.sh"
need readelf awk
lib=$libdir/libgomp.so.1
[ -f "$lib" ] || die "$lib does not exist"

# symbol, node, "@@" for the default version or "@" for a hidden one.
awk -F'\t' 'NR > 1 && $7 != "openacc" && $7 != "plugin-callback" {
  print $1 " " $2 " " ($3 == "default" ? "@@" : "@") " " toupper($4) }' \
  "$here/symbols.tsv" | sort > "$tmp/want"
[ "$(wc -l < "$tmp/want")" -gt 300 ] || die "symbols.tsv is damaged"

readelf -W --dyn-syms "$lib" | awk '$7 != "UND" && $1 ~ /^[0-9]+:$/ && $5 != "LOCAL" {
  at = index ($8, "@"); sym = at ? substr ($8, 1, at - 1) : $8
  node = substr ($8, length (sym) + 1); marks = node ~ /^@@/ ? "@@" : "@"
  sub (/^@+/, "", node)
  # The version definitions themselves are absolute symbols.
  if ($7 == "ABS" && node == "" || $7 == "ABS" && sym == node) next
  print sym " " node " " marks " " $4 }' | sort > "$tmp/have"

# What include/gompx.h asks for.
echo 'gompx_register_function GOMPX_1.0 @@ FUNC' | sort -m - "$tmp/want" > "$tmp/want2"
mv "$tmp/want2" "$tmp/want"

comm -23 "$tmp/want" "$tmp/have" > "$tmp/missing"
comm -13 "$tmp/want" "$tmp/have" > "$tmp/extra"
[ ! -s "$tmp/missing" ] || bad "missing from the library:"$'\n'"$(cat "$tmp/missing")"
[ ! -s "$tmp/extra" ] || bad "exported, but not in symbols.tsv:"$'\n'"$(cat "$tmp/extra")"

# Each node is defined, and its parents are what programs were linked against.
readelf -W -V "$lib" | sed -n 's/.*Name: \([A-Z]*_[0-9.]*\).*/\1/p' | sort -u > "$tmp/nodes"
cut -d' ' -f2 "$tmp/want" | sort -u | comm -23 - "$tmp/nodes" > "$tmp/nonodes"
[ ! -s "$tmp/nonodes" ] || bad "version nodes missing: $(tr '\n' ' ' < "$tmp/nonodes")"

# A plugin has one symbol for others, and needs nothing that is not in every program.  (The address
# sanitizer marks each with a symbol of its own.)
for plugin in "$libdir"/libgomp-plugin-*.so.1; do
  [ -f "$plugin" ] || die "no plugins beside $lib"
  exports=$(readelf -W --dyn-syms "$plugin" \
    | awk '$7 != "UND" && $1 ~ /^[0-9]+:$/ && $5 != "LOCAL" && $8 !~ /^__odr_asan[.]/ { print $8 }' | tr '\n' ' ')
  [ "$exports" = "GOMPX_plugin " ] || bad "$plugin exports: $exports"
  readelf -W -d "$plugin" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' \
    | grep -vE '^(libc|libpthread|libdl|ld-linux.*|lib[a-z]*san)\.so' > "$tmp/needs" \
    && bad "$plugin needs: $(tr '\n' ' ' < "$tmp/needs")"
done
exit $status
