#!/bin/bash
# gompx-info tells which libgomp.so.1 a program loads and by what it is found, and executes nothing of it.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address its library has to be the first one
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
[ -x "$info" ] || die "$info does not exist"
unset GOMP_CPU_DEVICES GOMP_PLUGIN_PATH LD_LIBRARY_PATH LD_PRELOAD
export GOMP_PLUGINS=cpu

# want NAME REGEX -- [NAME=VALUE...]
want ()
{
  local name=$1 regex=$2; shift 3
  env "$@" timeout 60 "$info" "$tmp/$name" > "$tmp/out" 2>&1 || bad "$name $*: exit status $?"
  grep -qE -- "$regex" "$tmp/out" || bad "$name $*: no line matches $regex: $(cat "$tmp/out")"
}
cat > "$tmp/t.c" <<'END'
int omp_get_num_threads (void);
int
main (void)
{
  return omp_get_num_threads () == 7;
}
END
# A library of the same name that is another, and says so if it is executed.
cat > "$tmp/other.c" <<END
#include <stdlib.h>
int omp_get_num_threads (void) { return 1; }
static void __attribute__ ((constructor)) start (void) { system ("touch $tmp/executed"); }
END
mkdir "$tmp/other" "$tmp/empty"
"${cc[@]}" -shared -fPIC -Wl,-soname,libgomp.so.1 "$tmp/other.c" -o "$tmp/other/libgomp.so.1" 2> /dev/null \
  || die "the compiler makes no shared objects"
link () { "${cc[@]}" "$tmp/t.c" "$tmp/other/libgomp.so.1" "${@:2}" -o "$tmp/$1" || die "$1 does not link"; }

link plain
want plain "^  loads $libdir/libgomp\.so\.1 \(found by LD_LIBRARY_PATH\), which is gompx\$" -- LD_LIBRARY_PATH="$tmp/empty:$libdir"
want plain "^  loads $tmp/other/libgomp\.so\.1 \(found by LD_LIBRARY_PATH\), which is not gompx\$" -- LD_LIBRARY_PATH="$tmp/other"
want plain "^  loads $libdir/libgomp\.so\.1, which is gompx\$" -- LD_PRELOAD="$libdir/libgomp.so.1"
if ldconfig -p 2>/dev/null | grep -q 'libgomp\.so\.1 '; then
  want plain '^  loads /.*/libgomp\.so\.1.* \(found by /etc/ld\.so\.cache\), which is ' --
fi
link runpath -Wl,-rpath,"$libdir",--enable-new-dtags
want runpath "^  loads $libdir/libgomp\.so\.1 \(found by RUNPATH from file $tmp/runpath\), which is gompx\$" --
want runpath "^  loads $tmp/other/libgomp\.so\.1 \(found by LD_LIBRARY_PATH\), which is not gompx\$" -- LD_LIBRARY_PATH="$tmp/other"
link rpath -Wl,-rpath,"$libdir",--disable-new-dtags
want rpath "^  loads $libdir/libgomp\.so\.1 \(found by RPATH from file $tmp/rpath\), which is gompx\$" -- LD_LIBRARY_PATH="$tmp/other"
# With rights of another: LD_LIBRARY_PATH does not count.
chmod u+s "$tmp/runpath"
want runpath "^  loads $libdir/libgomp\.so\.1 .*without LD_LIBRARY_PATH" -- LD_LIBRARY_PATH="$tmp/other"
# None.
echo 'int main (void) { return 0; }' > "$tmp/none.c"
"${cc[@]}" "$tmp/none.c" -o "$tmp/none"
want none '^  loads no libgomp\.so\.1$' --
# The program's own loader is not started, whatever it is.
printf '#!/bin/sh\ntouch "%s"\n' "$tmp/executed" > "$tmp/ld.so"
chmod +x "$tmp/ld.so"
link strange -Wl,--dynamic-linker="$tmp/ld.so"
want strange "^  its dynamic loader is $tmp/ld\.so, which is not asked" -- LD_LIBRARY_PATH="$tmp/other"
want plain 'not gompx$' -- LD_LIBRARY_PATH="$tmp/other" LD_BIND_NOW=1 LD_WARN=1
[ ! -e "$tmp/executed" ] || bad "something of a program was executed"

# Its own plugins: those beside which it was built.
env -u GOMP_PLUGINS "$info" > "$tmp/out" 2>&1
for plugin in nvptx gcn; do
  grep -qE "^plugin $plugin: $builddir/\.libs/libgomp-plugin-$plugin\.so\.1, " "$tmp/out" \
    || bad "the plugin $plugin of the build tree is not found: $(cat "$tmp/out")"
done
exit $status
