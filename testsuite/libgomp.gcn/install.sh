#!/bin/bash
# What make install puts into LIBDIR/gompx/gcn is what programs are linked with by -B from there, and the programs
# run with the library and the plugin that are installed; make uninstall takes all of it away.
# TEST-MODES: gcn
# TEST-TIMEOUT: 200
# TEST-SKIP-SANITIZER: address installs are made without sanitizers
# TEST-SKIP-SANITIZER: thread installs are made without sanitizers
# TEST-SKIP-SANITIZER: undefined installs are made without sanitizers
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
need make
major=$("${cc[0]}" -dumpversion) major=${major%%.*}
[ -d "$builddir/gcn/$major" ] || skip "no device runtime for AMD GPUs was built with GCC $major"
[ "$TEST_IMAGE_OPTIONS" != none ] || skip "the compiler makes no images for AMD GPUs"
read -r -a image <<< "$TEST_IMAGE_OPTIONS"
root=$tmp/root
installed=$(make -s -C "$builddir" --no-print-directory -f - print <<< 'include Makefile
print: ; @echo $(libdir)') && [ -n "$installed" ] || die "cannot read $builddir/Makefile"
lib=$root$installed

# Where the compiler of the library is not there, somebody has installed it for us.
if [ -n "${GOMPX_INSTALLED-}" ]; then
  cp -a "$GOMPX_INSTALLED" "$root" || exit 1
else
  make -s -C "$builddir" install DESTDIR="$root" > "$tmp/install.log" 2>&1 \
    || die "make install fails: $(tail -20 "$tmp/install.log")"
fi
[ -x "$lib/gompx/gcn/accel/amdgcn-amdhsa/mkoffload" ] || bad "not installed: mkoffload"
(cd "$builddir/gcn" && find [0-9]* -name libgomp.a) | while read -r a; do
  cmp -s "$builddir/gcn/$a" "$lib/gompx/gcn/$a" || echo "$a"
done > "$tmp/missing"
[ ! -s "$tmp/missing" ] || bad "not installed: $(cat "$tmp/missing")"

cat > "$tmp/t.c" <<'END_C'
#include <omp.h>
#include <stdio.h>
int
main (void)
{
  int sum = 0, threads = 0, on_host = 1;
#pragma omp target map (tofrom: sum, threads, on_host)
#pragma omp parallel num_threads (3)
  {
#pragma omp single
    threads = omp_get_num_threads (), on_host = omp_is_initial_device ();
#pragma omp for schedule (dynamic) reduction (+: sum)
    for (int i = 0; i < 20; i++)
      sum += i;
  }
  printf ("%d %d %d\n", sum, threads, on_host);
  return 0;
}
END_C

# program NAME OURS OPTION...: it is linked with our device library or (no) with the compiler's, and runs.
program ()
{
  local name=$1 ours=$2 out; shift 2
  rm -f "$tmp/t"
  "${cc[0]}" -O2 -fopenmp "${image[@]}" "$@" "$tmp/t.c" -o "$tmp/t" > "$tmp/log" 2>&1 \
    || { bad "$name: does not link: $(head -20 "$tmp/log")"; return; }
  if grep -aq gompx_plugin "$tmp/t"; then
    [ $ours = yes ] || bad "$name: linked with our device library"
  else
    [ $ours = no ] || bad "$name: not linked with our device library"
  fi
  # The simulator stays where it is; on hardware the path has none.
  out=$(LD_LIBRARY_PATH="$lib:${LD_LIBRARY_PATH#*:}" OMP_TARGET_OFFLOAD=mandatory GOMP_PLUGINS=gcn \
	timeout 100 "$tmp/t" 2>&1) || bad "$name: exit status $?"
  [ "$out" = "190 3 0" ] || bad "$name: printed $out"
}

program "-B of the installed directory" yes -B "$lib/gompx/gcn/"
program "-B without a slash" yes -B "$lib/gompx/gcn"
(cd "$lib" && program "-B, relative" yes -B gompx/gcn/; exit $status) || status=1
program "no -B" no
# A directory with a space in its name is one that scripts forget.
cp -a "$lib/gompx/gcn" "$tmp/to here" || exit 1
program "-B with a space" yes -B "$tmp/to here/"
# Where there is no library of ours for a compiler, its own is linked.
cp -a "$lib/gompx/gcn" "$tmp/less" && rm -r "$tmp/less/$major" || exit 1
program "-B without a library for this compiler" no -B "$tmp/less/"

[ -z "${GOMPX_INSTALLED-}" ] || exit $status
make -s -C "$builddir" uninstall DESTDIR="$root" > "$tmp/uninstall.log" 2>&1 \
  || bad "make uninstall fails: $(tail "$tmp/uninstall.log")"
left=$(find "$root" ! -type d)
[ -z "$left" ] || bad "left after make uninstall: $left"
[ ! -d "$lib/gompx/gcn" ] || bad "make uninstall leaves $lib/gompx/gcn"
exit $status
