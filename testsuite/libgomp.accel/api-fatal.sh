#!/bin/bash
# What ends a program on a device, with which words.
# TEST-MODES: accel
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
cat > "$tmp/t.c" <<'END'
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
extern void *GOMP_alloc (size_t, size_t, uintptr_t);
extern void GOMP_target_data_ext (int, size_t, void **, size_t *, unsigned short *);
extern void GOMP_target_end_data (void);
extern void GOMP_target_update_ext (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
extern void GOMP_target_enter_exit_data (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
static uint64_t words[8] __attribute__ ((aligned (16)));
int main (int argc, char **argv)
{
  omp_alloctrait_t t[] = { { omp_atk_fallback, omp_atv_abort_fb }, { omp_atk_pool_size, 1000 } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 2, t);
  void *p = omp_alloc (10, h);
  int device = argc > 2 ? -2 : 0;
  switch (atoi (argv[1]))
    {
    case 1: omp_alloc (2000, h); break;
    case 2: GOMP_alloc (16, SIZE_MAX / 2, omp_default_mem_alloc); break;
    case 3: omp_free (words + 6, h); break;
    case 4: omp_free ((char *) p + 8, h); break;
    case 5: omp_destroy_allocator (h); omp_alloc (10, h); break;
    case 6: omp_alloc (10, 77); break;
    case 7: omp_free (p, h); omp_destroy_allocator (h); omp_destroy_allocator (h); break;
    case 8:
      GOMP_target_data_ext (device, 0, NULL, NULL, NULL);
      GOMP_target_end_data ();
      break;
    case 9: GOMP_target_update_ext (device, 0, NULL, NULL, NULL, 0, NULL); break;
    case 10: GOMP_target_enter_exit_data (device, 0, NULL, NULL, NULL, 0, NULL); break;
    }
  return 0;
}
END
"${cc[@]}" ${sanitizer_flags[@]+"${sanitizer_flags[@]}"} -fopenmp -w "$tmp/t.c" -o "$tmp/t" \
  || die "cannot compile"
ends ()	# NUMBER REGEX
{
  "$tmp/t" "$1" > "$tmp/out" 2>&1
  [ $? = 1 ] || bad "$1: another exit status"
  grep -qxE "libgomp: $2" "$tmp/out" || bad "$1: not '$2' but '$(cat "$tmp/out")'"
}
other='0x[0-9a-f]+ is not memory of an OpenMP allocator, or was freed before, or the bytes before it were overwritten'
none='there is no memory allocator 0x[0-9a-f]+: it was destroyed, or never made'
ends 1 'Out of memory allocating 2000 bytes'
ends 2 'Out of memory allocating 9223372036854775807 bytes'
ends 3 "$other"
ends 4 "$other"
ends 5 "$none"
ends 6 "$none"
ends 7 "$none"
not_here=' is executed on a device, which OpenMP does not allow'
ends 8 "target data$not_here"
ends 9 "target update$not_here"
ends 10 "target enter data or target exit data$not_here"
# A construct whose if clause is false has no device.
for n in 8 9 10; do
  "$tmp/t" $n none > "$tmp/out" 2>&1 || bad "$n: if (0) ends with '$(cat "$tmp/out")'"
done
exit $status
