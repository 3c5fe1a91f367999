/* Many threads map, update, run on and unmap, some ranges shared, some their own.  The shared ones
   come and go all the time: whoever leaves last copies out, and whoever comes next has to see
   it.
   TEST-MODES: test cpu gpu
   TEST-ENV: GOMPX_TEST_PLUGIN=delay_us=100 */
#include <omp.h>
#include <stdio.h>

#define THREADS 8
#define ROUNDS 150
#define SLOTS 64

static long shared[THREADS * SLOTS];	/* each thread writes its own part */
static long table[256];			/* only read */
static int failed;

static void
wrong (const char *what, int thread, int round, long is, long should)
{
  #pragma omp critical
  {
    if (failed++ < 10)
      printf ("%s: thread %d round %d: %ld, should be %ld\n", what, thread, round, is, should);
  }
}

static void
work (int t)
{
  long own[32], sum;

  for (int r = 0; r < ROUNDS; r++)
    {
      /* Own data, new each time.  */
      for (int i = 0; i < 32; i++)
	own[i] = t * 1000 + r + i;
      sum = 0;
      #pragma omp target map(tofrom: own) map(to: table) map(from: sum)
      {
	sum = 0;
	for (int i = 0; i < 32; i++)
	  {
	    sum += own[i] * table[i];
	    own[i]++;
	  }
      }
      long expected = 0;
      for (int i = 0; i < 32; i++)
	{
	  expected += (long) (t * 1000 + r + i) * (i + 1);
	  if (own[i] != t * 1000 + r + i + 1)
	    wrong ("own", t, r, own[i], t * 1000 + r + i + 1);
	}
      if (sum != expected)
	wrong ("sum", t, r, sum, expected);

      /* One range for all threads, of which each changes a part.  */
      #pragma omp target map(tofrom: shared) firstprivate(t)
      for (int i = 0; i < SLOTS; i++)
	shared[t * SLOTS + i]++;

      /* A data region of its own inside a mapping that others share.  */
      long box[16];
      for (int i = 0; i < 16; i++)
	box[i] = r;
      #pragma omp target data map(to: box) map(to: table)
      {
	#pragma omp target map(tofrom: box)
	for (int i = 0; i < 16; i++)
	  box[i] += table[i];
	#pragma omp target update from(box[4:4])
	if (box[3] != r || box[4] != r + 5 || box[7] != r + 8 || box[8] != r)
	  wrong ("update", t, r, box[4], r + 5);
	box[5] = 77;
	#pragma omp target update to(box[5:1])
	#pragma omp target map(from: sum) map(to: box)
	sum = box[5] + box[6];
	if (sum != 77 + r + 7)
	  wrong ("update to", t, r, sum, 77 + r + 7);
      }

      /* enter and exit data on what others enter and exit, too.  */
      #pragma omp target enter data map(to: table)
      #pragma omp target map(from: sum) map(to: table)
      sum = table[255];
      if (sum != 256)
	wrong ("table", t, r, sum, 256);
      #pragma omp target exit data map(release: table)
    }
}

int
main (void)
{
  if (omp_get_num_devices () == 0)
    return 77;
  for (int i = 0; i < 256; i++)
    table[i] = i + 1;

  #pragma omp parallel num_threads(THREADS)
  work (omp_get_thread_num ());

  for (int i = 0; i < THREADS * SLOTS; i++)
    if (shared[i] != ROUNDS)
      wrong ("shared", i / SLOTS, i, shared[i], ROUNDS);
  if (omp_target_is_present (shared, 0) || omp_target_is_present (table, 0))
    wrong ("still present", 0, 0, 1, 0);
  return failed != 0;
}
