#!/bin/bash
# What lanes-abi.h says that lanes may call is what the device runtime defines for them: with the parameters of the
# entry point itself, and nothing else.  And it is code for lanes: without soft stacks, and without operations that
# want all lanes of a warp but where a region begins, ends or has a barrier.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
objects=("$builddir"/nvptx/lanes-*.o)
unit=$builddir/nvptx/lanes-unit.o
[ -e "$unit" ] || skip "built without an offload compiler"

cat > "$tmp/names.c" <<'END'
#include "lanes-abi.h"
#define CALL(name, record) call name record;
#define STARTER(name) starter name;
#define IF(name) if name;
GOMPX_LANES_CALLS (CALL)
GOMPX_LANES_STARTERS (STARTER)
GOMPX_LANES_IF_NO_CANCELLATION (IF)
END
"${cc[@]}" -E -P -I"$top_srcdir/config/nvptx" "$tmp/names.c" | tr ';' '\n' > "$tmp/names"
[ "$(grep -c call "$tmp/names")" -gt 100 ] || die "the names of lanes-abi.h were not found"
grep ' *if' "$tmp/names" | while read -r _ name; do
  grep -q "call $name [01]" "$tmp/names" || echo "$name is for no cancellation, but no call"
done > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "$(cat "$tmp/out")"

# Entry points with their lane versions' names: Fortran forms with those of the routine.
awk '
  FILENAME ~ /names$/ { if ($1 == "call") call[$2]; else if ($1 == "starter") starter[$2]; next }
  /^#/ || NF < 2 { next }
  {
    plain = $1
    if (plain ~ /^omp_/) sub(/(_8)?_$/, "", plain)
    if (plain in call && $1 !~ /^omp_(init|destroy)_nest_lock_$/) print "gompx_lanes_" $1, $2
    if ($1 in starter) { sub(/\)/, "l)", $2); print "gompx_lanes_" $1, $2 }
    seen[$1]
  }
  END {
    for (name in call) if (!(name in seen)) print "no entry point: " name
    for (name in starter) if (!(name in seen)) print "no entry point: " name
  }' "$tmp/names" "$here/signatures.txt" | sort > "$tmp/wanted"
! grep 'no entry point' "$tmp/wanted" || bad "lanes-abi.h lists what is no entry point"

awk '
  function letters(text,    n, part, i, all) {
    all = ""
    n = split(text, part, ",")
    for (i = 1; i <= n; i++)
      all = all (part[i] ~ /32/ ? part[i] ~ /\.f/ ? "f" : "i" : part[i] ~ /64/ ? part[i] ~ /\.f/ ? "d" : "l" : "")
    return all
  }
  /^\/\/ BEGIN (GLOBAL|WEAK) FUNCTION DEF: gompx_lanes_(GOMP|omp)_/ { name = $NF; next }
  name != "" && /\.func/ {
    sub(/^.*\.func[ \t]*/, "")
    result = "v"
    if (/^\(/) { result = letters(substr($0, 2, index($0, ")") - 2)); $0 = substr($0, index($0, ")") + 1) }
    print name, result "(" (index($0, "(") ? letters(substr($0, index($0, "("))) : "") ")"
    name = ""
  }' "${objects[@]}" | sort > "$tmp/got"
diff "$tmp/wanted" "$tmp/got" > "$tmp/out" || bad "not what lanes-abi.h says (<: it says, >: there is): $(cat "$tmp/out")"

# What is in the code.
awk '
  /^\/\/ BEGIN .*FUNCTION DEF/ { name = $NF }
  /__nvptx_(stacks|uni)/ && !/^\/\/|\.extern/ && name != "gompx_lanes_run" { print name ": " $0 }
  /0xffffffff/ && !/(bar\.warp|vote)\.sync/ { print name ": " $0 }
  # Without .sync, or for all lanes of a warp at once.
  /(shfl|vote|match)\./ && !/\.sync/ { print name ": " $0 }
  /[^a-z]bar\.sync/ { print name ": " $0 }' "$unit" > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "code that is not for lanes: $(cat "$tmp/out")"
exit $status
