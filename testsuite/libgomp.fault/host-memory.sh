#!/bin/bash
# Memory of the program that a construct copies is protected, unmapped, or behind the end of its file: a message tells which
# memory and which construct, and why it cannot be copied, and the program ends by the signal as without.  What
# the program's own code does there is not told.
# TEST-MODES: host
# TEST-TIMEOUT: 300
# TEST-SKIP-SANITIZER: address has a handler of its own
# TEST-SKIP-SANITIZER: thread has a handler of its own
# TEST-SKIP-SANITIZER: undefined has a handler of its own
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
cat > "$tmp/t.c" <<'EOF'
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char *p;
static size_t n;
static _Alignas (4096) char table[8192];
static int x[4];
extern void GOMP_target_enter_exit_data (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
/* The second half of P cannot be used any more.  */
static void __attribute__ ((noinline))
spoil (const char *how)
{
  char *half = p + n / 2;
  int result = -1;
  if (strcmp (how, "none") == 0)
    result = mprotect (half, n / 2, PROT_NONE);
  if (strcmp (how, "constant") == 0)
    result = mprotect (half, n / 2, PROT_READ);
  if (strcmp (how, "gone") == 0)
    result = munmap (half, n / 2);
  if (strcmp (how, "short") == 0)
    result = ftruncate (3, n / 2);
  if (result != 0)
    abort ();
}
int
main (int argc, char **argv)
{
  const char *what = argv[1], *how = argv[2];
  int is_file = strcmp (how, "short") == 0, host = omp_get_initial_device ();
  int (*copy_async) (void *, const void *, size_t, size_t, size_t, int, int, int, void *)
    = (__typeof__ (copy_async)) dlsym (RTLD_DEFAULT, "omp_target_memcpy_async");
  n = argc > 3 ? strtoul (argv[3], NULL, 0) : 8192;
  if (is_file)
    {
      close (3);
      if (open ("file", O_RDWR | O_CREAT | O_TRUNC, 0600) != 3 || ftruncate (3, n) != 0)
	return 3;
    }
  p = mmap (NULL, n, PROT_READ | PROT_WRITE, is_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS,
	    is_file ? 3 : -1, 0);
  if (strcmp (what, "table") == 0)
    {
      p = table;
      n = sizeof (table);
    }
  memset (p, 1, n);
  char *d = omp_target_alloc (n, 0);
  if (d == NULL || p == MAP_FAILED)
    return 3;
  size_t volume[2] = { 64, 8 }, zero[2] = { 0, 0 }, dims[2] = { 64, 64 }, at[2] = { n / 2 / 64, 0 };
  int present = strcmp (what, "from") == 0 || strcmp (what, "delete") == 0 || strncmp (what, "update", 6) == 0
		|| strncmp (what, "own", 3) == 0;
  dims[0] = n / 64;
  if (present)
    {
#pragma omp target enter data map (to: p[:n])
    }
  if (strcmp (what, "attach") == 0)
    {
      void *addrs[] = { p + n / 2, x };
      size_t sizes[] = { 8, sizeof (x) };
      unsigned short kinds[] = { 0x01, 0x01 };
      *(int **) (p + n / 2) = x;
      GOMP_target_enter_exit_data (-1, 2, addrs, sizes, kinds, 0, NULL);
    }
  if (strcmp (what, "back") != 0 && strcmp (what, "nowaitback") != 0)
    spoil (how);
  if (strcmp (what, "to") == 0)
    {
#pragma omp target enter data map (to: p[:n])
    }
  if (strcmp (what, "from") == 0)
    {
#pragma omp target exit data map (from: p[:n])
    }
  if (strcmp (what, "delete") == 0)
    {
#pragma omp target exit data map (delete: p[:n])
    }
  if (strcmp (what, "region") == 0)
    {
#pragma omp target map (tofrom: p[:n])
      p[0]++;
    }
  if (strcmp (what, "small") == 0)
    {
      int *q = (int *) (p + n / 2);
#pragma omp target map (tofrom: q[:4])
      q[0]++;
    }
  if (strcmp (what, "table") == 0)
    {
#pragma omp target map (tofrom: table)
      table[0]++;
    }
  if (strcmp (what, "back") == 0)
    {
#pragma omp target data map (tofrom: p[:n])
      {
#pragma omp target
	p[0]++;
	spoil (how);
      }
    }
  if (strcmp (what, "updateto") == 0)
    {
#pragma omp target update to (p[:n])
    }
  if (strcmp (what, "updatefrom") == 0)
    {
#pragma omp target update from (p[:n])
    }
  if (strcmp (what, "nowait") == 0)
    {
#pragma omp target nowait map (tofrom: p[:n])
      p[0]++;
#pragma omp taskwait
    }
  if (strcmp (what, "nowaitback") == 0)
    {
#pragma omp target nowait map (tofrom: p[:n])
      {
	p[0]++;
	usleep (300000);
      }
      spoil (how);
#pragma omp taskwait
    }
  if (strcmp (what, "copyto") == 0)
    omp_target_memcpy (d, p, n, 0, 0, 0, host);
  if (strcmp (what, "copyfrom") == 0)
    omp_target_memcpy (p, d, n, 0, 0, host, 0);
  if (strcmp (what, "asyncto") == 0)
    {
      copy_async (d, p, n, 0, 0, 0, host, 0, NULL);
#pragma omp taskwait
    }
  if (strcmp (what, "asyncfrom") == 0)
    {
      copy_async (p, d, n, 0, 0, host, 0, 0, NULL);
#pragma omp taskwait
    }
  if (strcmp (what, "boxto") == 0)
    omp_target_memcpy_rect (d, p, 1, 2, volume, zero, at, dims, dims, 0, host);
  if (strcmp (what, "boxfrom") == 0)
    omp_target_memcpy_rect (p, d, 1, 2, volume, at, zero, dims, dims, host, 0);
  if (strcmp (what, "attach") == 0)
    {
      void *addrs[] = { x, p + n / 2 };
      size_t sizes[] = { sizeof (x), 0 };
      unsigned short kinds[] = { 0x01, 0x50 };
      GOMP_target_enter_exit_data (-1, 2, addrs, sizes, kinds, 0, NULL);
    }
  if (strcmp (what, "device") == 0)
    {
#pragma omp target enter data map (to: d[:n])
    }
  if (strcmp (what, "own") == 0)
    (*(volatile char *) (p + n / 2))++;
  if (strcmp (what, "ownlibrary") == 0)
    memset (p, strlen (how), n);
  return 0;
}
EOF
# -O1: memset is a call.
"${cc[@]}" -O1 -g -fopenmp -foffload=disable -fno-builtin-memset "$tmp/t.c" -o "$tmp/t" -ldl || die "does not compile"
ulimit -c 0
cd "$tmp" || exit 1
path=$libdir
# want STATUS WHAT HOW [SIZE] -- REGEX...
want ()
{
  local code=$1 args=() got regex; shift
  while [ "$1" != -- ]; do args+=("$1"); shift; done
  shift
  { env LD_LIBRARY_PATH="$path" "${env[@]}" timeout 60 "$tmp/t" "${args[@]}" > "$tmp/out" 2>&1; } 2> /dev/null
  got=$?
  [ $got = "$code" ] || bad "${env[*]} ${args[*]}: exit status $got instead of $code: $(cat "$tmp/out")"
  for regex; do
    grep -qE -- "$regex" "$tmp/out" || bad "${env[*]} ${args[*]}: no line matches $regex: $(cat "$tmp/out")"
  done
}
silent () { [ ! -s "$tmp/out" ] || bad "$1: something is said: $(cat "$tmp/out")"; }
# memory HOW read|written, and the construct
protected='it is protected from any access, as by mprotect \(PROT_NONE\)$'
to='copied to the device$'
from='copied from the device'
check ()
{
  local size
  for size in 8192 16777216; do
    want 139 to none $size -- "^libgomp: device 0 \($name\): the host memory at 0x[0-9a-f]+ cannot be read: $protected" \
      "^  it is byte [0-9]+ of \[.*\), $size bytes, item 1 of the list, which is $to" '^  construct: target enter data, called from main'
    want 139 from none $size -- "cannot be written: $protected" "$size bytes.*$from" '^  construct: target exit data, called from main'
    want 139 updateto none $size -- "cannot be read: $protected" "$to" '^  construct: target update, called from main'
    want 139 updatefrom none $size -- "cannot be written: $protected" "$from" '^  construct: target update, called from main'
    want 139 copyto none $size -- "cannot be read: $protected" "$size bytes, which is $to" '^  construct: omp_target_memcpy, called from main'
    want 139 copyfrom none $size -- "cannot be written: $protected" "$size bytes, which is $from" '^  construct: omp_target_memcpy, called'
    want 139 asyncto none $size -- "cannot be read: $protected" "$to" '^  construct: omp_target_memcpy_async, called from main'
    want 139 asyncfrom none $size -- "cannot be written: $protected" "$from"
  done
  want 139 boxto none -- "cannot be read: $protected" "$to" '^  construct: omp_target_memcpy_rect, called from main'
  want 139 boxfrom none -- "cannot be written: $protected" "$from" '^  construct: omp_target_memcpy_rect, called from main'
  want 139 attach none -- "cannot be read: $protected" '^  target enter data looks at the pointer there$'
  want 0 to constant --
  silent "reading read-only memory"
  want 139 from constant -- 'cannot be written: it is read-only$' "$from"
  want 139 updateto gone -- 'cannot be read: there is no memory: it was freed or unmapped, or never was there$' "$to"
  want 139 from gone -- 'cannot be written: there is no memory' "$from"
  want 135 to short -- 'cannot be read: the file that is mapped there ends before that$' "$to"
  want 135 from short -- 'cannot be written: the file that is mapped there ends before that$' "$from"
  want 0 delete none --
  silent "nothing to copy"
  want 139 device none -- '^libgomp: the host has read the address 0x[0-9a-f]+, which is memory of device 0' \
    "item 1 of the list, which is $to" '^  construct: target enter data'
  for what in own ownlibrary; do
    want 139 $what none --
    silent "the program's own access"
    want 135 $what short --
    silent "the program's own access"
  done
}
name='cpu worker'
env=(GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu)
check
for with in GOMP_DEBUG=0 GOMP_CHECK=map GOMP_INFO=1; do
  env=(GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu $with)
  want 139 region none -- "cannot be read: $protected" "item 1 of the list, which is $to" '^  construct: target \(main\._omp_fn\.[0-9]+\), called from main'
  want 139 small none -- "cannot be read: $protected" "16 bytes, item 1 of the list, which is $to" '^  construct: target'
  want 139 region constant -- "cannot be written: it is read-only$" "item 1 of the list, which is $from" '^  construct: target'
  want 139 table gone -- 'cannot be read: there is no memory' '8192 bytes, `table., item 1 of the list'
  want 139 back none -- "cannot be written: $protected" "$from" '^  construct: end of target data, called from main'
  want 139 nowait none -- "cannot be read: $protected" "$to" '^  construct: target'
done
env=(GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu)
# Whichever thread does it.
for i in 1 2 3 4 5 6 7 8 9 10; do
  want 139 nowaitback none -- "cannot be written: $protected" "$from"
done
env=(GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu GOMP_CHECK=off)
want 139 to none --
silent "switched off"

if [ -f "$builddir/testsuite/fake-cuda/.libs/libcuda.so.1" ]; then
  path=$libdir:$builddir/testsuite/fake-cuda/.libs
  name='NVIDIA.*'
  env=(GOMP_PLUGINS=nvptx GOMP_CACHE=off)
  check
fi
exit $status
