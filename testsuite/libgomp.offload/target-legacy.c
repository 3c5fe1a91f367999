/* The entry points of 2013, with 8-bit kinds.
   TEST-MODES: host test cpu */
#include "aux-direct.h"

extern void GOMP_target (int, void (*) (void *), const void *, size_t, void **, size_t *,
			 unsigned char *);
extern void GOMP_target_data (int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_update (int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_teams (unsigned, unsigned);

KERNEL (twice)
{
  int **s = twice_arg;
  for (int i = 0; i < 4; i++)
    s[0][i] *= 2;
  s[1][0] = s[0][3];
}

int
main (void)
{
  int a[4] = { 1, 2, 3, 4 }, r = 0, host = omp_get_num_devices () == 0;
  void *addr[2] = { a, &r };
  size_t size[2] = { sizeof (a), sizeof (r) };
  unsigned char kind[2] = { TOFROM | 2 << 3, FROM | 2 << 3 };

  GOMP_target (-1, twice, NULL, 2, addr, size, kind);
  CHECK_EQUAL (a[3], 8);
  CHECK_EQUAL (r, 8);
  GOMP_target_data (-1, NULL, 2, addr, size, kind);
  a[3] = 5;
  unsigned char to = TO | 2 << 3;
  GOMP_target_update (-1, NULL, 1, addr, size, &to);
  GOMP_target (-1, twice, NULL, 2, addr, size, kind);
  CHECK_EQUAL (a[3], host ? 10 : 5);
  GOMP_target_end_data ();
  CHECK_EQUAL (a[3], 10);
  CHECK_EQUAL (r, 10);
  GOMP_teams (3, 2);
  CHECK_EQUAL (omp_get_thread_limit (), 2);
  return result ();
}
