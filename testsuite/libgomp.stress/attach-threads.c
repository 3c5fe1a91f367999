/* Many threads attach and detach the same pointers, whose struct stays mapped or comes and
   goes: inside of a region that has attached a pointer it always works.
   TEST-MODES: test cpu
   TEST-ENV: GOMPX_TEST_PLUGIN=delay_us=100 */
#include "../libgomp.offload/aux-direct.h"

enum { THREADS = 8, ROUNDS = 200, N = 16 };

struct s { long n; long *p; long m; };
static long data[N];
static struct s v = { N, data, 5 };

KERNEL (sum)
{
  void **slot = sum_arg;
  struct s *s = slot[1];
  long total = s->m;
  for (long i = 0; i < s->n; i++)
    total += s->p[i];
  *(long *) slot[0] = total;
}

static void
work (int t, bool struct_stays)
{
  for (int r = 0; r < ROUNDS; r++)
    {
      long total = 0;
      switch ((t + r) % 3)
	{
	case 0:
	  TARGET (sum, ITEM (&total, 8, FROM), ITEM (&v, sizeof (v), TO), ITEM (data, sizeof (data), TO),
		  ITEM (&v.p, 0, ATTACH));
	  break;
	case 1:
	  DATA (ITEM (&v, sizeof (v), TO), ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
	  TARGET (sum, ITEM (&total, 8, FROM), ITEM (&v, sizeof (v), IMPLICIT | TO));
	  END_DATA ();
	  break;
	case 2:
	  ENTER (ITEM (&v, sizeof (v), TO), ITEM (data, sizeof (data), TO), ITEM (&v.p, 0, ATTACH));
	  TARGET (sum, ITEM (&total, 8, FROM), ITEM (&v, sizeof (v), IMPLICIT | TO));
	  EXIT (ITEM (&v, sizeof (v), RELEASE), ITEM (data, sizeof (data), RELEASE),
		ITEM (&v.p, 0, DETACH));
	  break;
	}
      if (total != 5 + N * (N - 1) / 2)
	{
	  #pragma omp critical
	  if (failures++ < 10)
	    printf ("thread %d round %d (%d): %ld\n", t, r, struct_stays, total);
	}
    }
}

int
main (void)
{
  need_device ();
  for (int i = 0; i < N; i++)
    data[i] = i;
  for (int stays = 0; stays < 2; stays++)
    {
      if (stays)
	ENTER (ITEM (&v, sizeof (v), TO));
      #pragma omp parallel num_threads(THREADS)
      work (omp_get_thread_num (), stays);
      if (stays)
	{
	  CHECK (IS_PRESENT (&v));
	  EXIT (ITEM (&v, sizeof (v), FROM));
	}
      CHECK (!IS_PRESENT (&v) && !IS_PRESENT (data));
      CHECK (v.p == data && v.n == N && v.m == 5);
    }
  return result ();
}
