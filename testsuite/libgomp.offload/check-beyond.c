/* The mapping checker tells of routines that copy beyond a block.
   TEST-MODES: cpu
   TEST-OPTIONS: -L@libdir@
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: 800 bytes at byte 0 of 80 bytes from omp_target_alloc at main.*\n  omp_target_memcpy at main.* writes there
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: 16 bytes at byte -8 of 80 bytes from omp_target_alloc at main.*\n  omp_target_memcpy at main.* reads there
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: 8 bytes at byte 80 of 80 bytes from omp_target_alloc at main.*\n  omp_target_memcpy_async at main.* writes there
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: 81 bytes at byte 0 of 80 bytes from omp_target_alloc at main.*\n  omp_target_memset at main.* writes there
   TEST-OUTPUT: ^libgomp: check: access beside a mapping: 72 bytes at byte 16 of 80 bytes from omp_target_alloc at main.*\n  omp_target_memcpy_rect at main.* writes there
   TEST-OUTPUT: remedy: copy no more than there is
   TEST-OUTPUT: ^libgomp: check: 5 findings \(5 accesses beside mappings\)  */

#include <omp.h>
#include <stddef.h>

extern void *omp_target_memset (void *, int, size_t, int);
extern int omp_target_memcpy_async (void *, const void *, size_t, size_t, size_t, int, int, int,
				    omp_depend_t *);

int
main (void)
{
  int dev = omp_get_default_device (), h = omp_get_initial_device (), bad = 0;
  double host[100] = { 0 };
  size_t volume[2] = { 2, 4 }, zero[2] = { 0, 0 }, at[2] = { 0, 2 }, dims[2] = { 2, 5 };

  if (omp_get_num_devices () == 0)
    return 77;
  char *d = omp_target_alloc (80, dev);
  /* All there is, and parts of it.  */
  bad |= omp_target_memcpy (d, host, 80, 0, 0, dev, h);
  bad |= omp_target_memcpy (host, d, 8, 0, 72, h, dev);
  bad |= omp_target_memcpy_rect (d, host, 8, 2, volume, zero, zero, dims, dims, dev, h);
  omp_target_memset (d + 40, 0, 40, dev);

  bad |= omp_target_memcpy (d, host, 800, 0, 0, dev, h);
  bad |= omp_target_memcpy (host, d - 8, 16, 0, 0, h, dev);
  bad |= omp_target_memcpy_async (d + 80, host, 8, 0, 0, dev, h, 0, NULL);
#pragma omp taskwait
  omp_target_memset (d, 0, 81, dev);
  bad |= omp_target_memcpy_rect (d, host, 8, 2, volume, at, zero, dims, dims, dev, h);
  omp_target_free (d, dev);
  return bad;
}
