#!/bin/bash
# The HSA runtime of the system, on a machine without an AMD GPU: it loads, it does not start or finds
# nothing, and the plugin says why.  Where there is a GPU, it is found.  "quickstart check" fetches Debian's into
# the build tree (system-hsa) where none is installed.
# TEST-MODES: gcnsim
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
[ -x "$info" ] || die "$info does not exist"
# A runtime that was not built with the sanitizer's library is not what it checks.
[ ${#sanitizer_flags[@]} = 0 ] || skip "the system's runtime and sanitizers do not go together"
file=$(ldconfig -p 2>/dev/null | sed -n 's/.*libhsa-runtime64\.so\.1 .* => //p' | head -1)
file=${GOMPX_HSA_RUNTIME:-$file}
unset LD_LIBRARY_PATH
if [ -z "$file" ]; then
  file=$(find "$builddir/system-hsa" -name libhsa-runtime64.so.1 2>/dev/null | head -1)
  [ -n "$file" ] || skip "libhsa-runtime64-1 is not installed"
  export LD_LIBRARY_PATH="${file%/*}"
fi
env HSA_RUNTIME_LIB="$file" GOMP_PLUGINS=gcn GOMP_PLUGIN_PATH="$libdir" \
  timeout 60 "$info" > "$tmp/out" 2>&1 || bad "exit status $?: $(cat "$tmp/out")"
if [ -e /dev/kfd ]; then
  grep -qE 'HSA runtime .*, interface|hsa_init failed: .*may not open /dev/kfd' "$tmp/out" \
    || bad "$(cat "$tmp/out")"
else
  grep -qE '0 devices \((hsa_init failed: .*there is no /dev/kfd|the HSA runtime finds no GPU)' \
    "$tmp/out" || bad "$(cat "$tmp/out")"
fi
exit $status
