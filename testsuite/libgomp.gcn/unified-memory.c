/* A program that requires unified shared memory, on a device that can use all of the host's: regions work on the
   program's own memory, heap, stack and variables; nothing is copied.
   TEST-ENV: GCN_SIM_SVM=1
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: to the device 0 B in 0, from the device 0 B in 0
   TEST-OUTPUT: uses all memory of the host
   MINGCC: 16  */

#include "aux-gcn.h"

#pragma omp requires unified_shared_memory

enum { N = 300 };

struct list
{
  struct list *next;
  int value;
};

static int global[N];

int
main (void)
{
  struct list *list = NULL;
  int here = 1, sum = 0, local[4] = { 1, 2, 3, 4 }, *p = local;

  for (int i = 0; i < N; i++)
    {
      struct list *l = malloc (sizeof (*l));
      *l = (struct list) { list, i };
      list = l;
      global[i] = 2 * i;
    }
#pragma omp target map (from: here)
  {
    here = omp_is_initial_device ();
    for (struct list *l = list; l != NULL; l = l->next)
      sum += l->value++;
    for (int i = 0; i < N; i++)
      global[i]++;
    p[3] = p[0] + p[1];
  }
  CHECK_EQUAL (here, 0);
  /* A scalar that no clause names is firstprivate.  */
  CHECK_EQUAL (sum, 0);
  for (struct list *l = list; l != NULL; l = l->next)
    sum += l->value;
  CHECK_EQUAL (sum, N * (N - 1) / 2 + N);
  CHECK_EQUAL (local[3], 3);
#pragma omp target teams distribute parallel for reduction (+: sum)
  for (int i = 0; i < N; i++)
    sum += global[i];
  CHECK_EQUAL (sum, N * (N - 1) / 2 + N + N * (N - 1) + N);
  while (list != NULL)
    {
      struct list *next = list->next;
      free (list);
      list = next;
    }
  return failures != 0;
}
