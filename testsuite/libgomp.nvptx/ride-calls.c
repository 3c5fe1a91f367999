/* A region of one team takes its arguments and small data along, brings small results back and marks its end
   itself: one call of the driver.  What does not fit travels as it did before, in the same order.
   TEST-MODES: ptxours ptxlanes
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_WAIT_POLICY=active  */

#include "aux-rides.h"

#include <omp.h>
#include <string.h>

struct many { int a[60]; };	/* with its address more than half of what can travel, and not more */
static struct many many;
static int large[2048];

int
main (void)
{
  int value = 0, sum = 0;
  unsigned char odd = 0;
  double pair[2] = { 1, 2 };

  CASE (1, 0, 0, 0, { _Pragma ("omp target") { } });
  CASE (1, 0, 0, 0, { _Pragma ("omp target map(tofrom: value)") value++; });
  CHECK (value == ROUNDS + 1);
  CASE (1, 0, 0, 0, { _Pragma ("omp target firstprivate(value) map(from: sum)") sum = value * 3; });
  CHECK (sum == 3 * (ROUNDS + 1));
  CASE (1, 0, 0, 0, { _Pragma ("omp target map(tofrom: pair, value) map(to: sum)")
		      { pair[0] += value; pair[1] += sum; value++; } });
  CHECK (pair[0] == 1 + 5 + 6 + 7 + 8 + 9 && pair[1] == 2 + 5 * 15 && value == 10);
  CASE (1, 0, 0, 0, { _Pragma ("omp target map(tofrom: many)") for (int i = 0; i < 60; i++) many.a[i] += i; });
  for (int i = 0; i < 60; i++)
    CHECK (many.a[i] == 5 * i);
  CASE (1, 0, 0, 0, { _Pragma ("omp target parallel num_threads(4) map(tofrom: value)")
		      _Pragma ("omp atomic") value++; });
  CHECK (value == 10 + 5 * 4);

  /* A byte comes back by itself; the address and the byte go by themselves.  */
  CASE (1, 1, 1, 1, { _Pragma ("omp target map(tofrom: odd)") odd++; });
  CHECK (odd == ROUNDS + 1);
  /* Teams: the address goes before.  */
  value = 0;
  CASE (1, 1, 1, 1, { _Pragma ("omp target teams distribute num_teams(3) map(tofrom: value)")
		      for (int i = 0; i < 3; i++) { _Pragma ("omp atomic") value++; } });
  CHECK (value == 3 * (ROUNDS + 1));
  /* What is there already.  */
#pragma omp target data map(tofrom: large)
  {
    CASE (1, 0, 0, 0, { _Pragma ("omp target firstprivate(value)") large[2047] += value; });
    CASE (0, 1, 0, 0, { large[3]++; _Pragma ("omp target update to(large[3])") });
    CASE (0, 0, 1, 1, { _Pragma ("omp target update from(large[3])") });
    /* The update is under way when the region begins.  */
    CASE (1, 1, 0, 1, { large[3]++; _Pragma ("omp target update to(large[3])")
			_Pragma ("omp target") large[3] += 100; });
    CASE (0, 0, 1, 1, { _Pragma ("omp target update from(large[3])") });
  }
  CHECK (large[3] == 2 * (ROUNDS + 1) + 100 && large[2047] == value * (ROUNDS + 1));

  /* Tasks, on queues of their own.  */
  int each[8] = { 0 };
#pragma omp target data map(alloc: each)
  {
    for (int k = 0; k < 8; k++)
      {
#pragma omp target nowait firstprivate(k) depend(inout: each[k])
	each[k] = k + 1;
#pragma omp target nowait firstprivate(k) depend(inout: each[k])
	each[k] *= 10;
      }
#pragma omp taskwait
#pragma omp target update from(each)
  }
  for (int k = 0; k < 8; k++)
    CHECK (each[k] == 10 * (k + 1));
  return failures != 0;
}
