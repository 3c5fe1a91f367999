#!/bin/bash
# The plugin of doc/plugin-demo.c, built as its comment says, runs target regions, and
# doc/plugin-abi.md does not contradict plugin.h.
# TEST-MODES: host
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
need "${cc[0]}"
"${cc[@]}" -std=gnu11 -shared -fPIC -fvisibility=hidden -pthread "${sanitizer_flags[@]}" -Wall -Wextra \
  -Werror -I"$top_srcdir/plugin" "$top_srcdir/doc/plugin-demo.c" -o "$tmp/libgomp-plugin-demo.so.1" \
  || die "doc/plugin-demo.c does not compile"

cat > "$tmp/program.c" <<'C'
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
int total;
#pragma omp end declare target
int linked[50];
#pragma omp declare target link(linked)

int
main (void)
{
  enum { N = 1000 };
  int a[N], b[N], wrong = 0;
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = -1;

  #pragma omp target enter data map(to: a) map(alloc: b)
  if (omp_get_mapped_ptr (a, 0) == NULL || omp_get_mapped_ptr (a, 0) == (void *) a)
    return printf ("a has no memory on the device\n"), 1;
  for (int round = 1; round <= 3; round++)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      b[i] = round * a[i];
  if (b[N - 1] != -1)
    return printf ("the region wrote to the host's b\n"), 1;
  #pragma omp target update from(b)
  for (int i = 0; i < N; i++)
    wrong += b[i] != 3 * i;
  #pragma omp target exit data map(from: b) map(delete: a)

  int sum = 0;
  #pragma omp target map(tofrom: sum)
  {
    sum += 5;
    total += 7;
  }
  wrong += sum != 5 || total != 7;

  linked[7] = 1;
  #pragma omp target map(tofrom: linked)
  linked[7] += 1;
  wrong += linked[7] != 2;

  char *p = omp_target_alloc (100, 0), text[100] = "";
  wrong += omp_target_memcpy (p, "device", 7, 10, 0, 0, omp_get_initial_device ()) != 0;
  wrong += omp_target_memcpy (text, p, 7, 0, 10, omp_get_initial_device (), 0) != 0;
  wrong += text[0] != 'd' || text[6] != 0;
  omp_target_free (p, 0);
  if (wrong)
    printf ("%d wrong results\n", wrong);
  return wrong != 0;
}
C
# The names that older compilers do not have come from our header.
"${cc[@]}" -fopenmp -Wall "${sanitizer_flags[@]}" -I"$top_srcdir/include" "$tmp/program.c" -o "$tmp/program" \
  -L"$libdir" || die "the program does not compile"
export LD_LIBRARY_PATH=$libdir GOMP_PLUGINS=demo GOMP_PLUGIN_PATH=$tmp OMP_TARGET_OFFLOAD=mandatory
timeout 60 "$tmp/program" || bad "the program failed with status $?"

# What plugin-abi.md says is required and optional.
doc=$top_srcdir/doc/plugin-abi.md
for slot in $(sed -n 's/^  REQUIRED (\(.*\));/\1/p' "$top_srcdir/plugin-default.c"); do
  sed -n '/^| Required/,/^$/p' "$doc" | cut -d'|' -f2 | grep -qw "$slot" \
    || bad "plugin-abi.md does not name $slot as required"
done
for slot in $(sed -n 's/^  OPTIONAL (\(.*\));/\1/p' "$top_srcdir/plugin-default.c"); do
  sed -n '/^| Required/,/^$/p' "$doc" | cut -d'|' -f3 | sed 's/copy3d_\*/copy3d_h2d copy3d_d2h/' \
    | grep -qw "$slot" || bad "plugin-abi.md does not name $slot as optional"
done
exit $status
