/* Argument blocks of all sizes and alignments, copied by memcpy and by a function, of tasks that
   are deferred and that run at once, with and without dependences.  */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern void GOMP_task (void (*) (void *), void *, void (*) (void *, void *), long, long, bool,
		       unsigned, void **, int, void *);

struct block
{
  uint32_t size, align;
  unsigned char bytes[4000];
};

static int ran, wrong, copied;

static void
body (void *p)
{
  struct block *b = p;
  int bad = ((uintptr_t) p & (b->align - 1)) != 0;
  for (unsigned i = 0; i < b->size - 8; i++)
    bad |= b->bytes[i] != (unsigned char) (b->size + i);
#pragma omp atomic
  wrong += bad;
#pragma omp atomic
  ran++;
}

static void
copy (void *to, void *from)
{
  struct block *b = from;
  memcpy (to, from, b->size);
#pragma omp atomic
  copied++;
}

static int made, by_function;

static void
make (struct block *block, unsigned size, unsigned align, bool if_clause, bool function,
      bool depend)
{
  static int x[5];
  void *list[] = { (void *) 4, (void *) 2, &x[size % 5], &x[(size + 1) % 5], &x[(size + 2) % 5],
		   &x[(size + 3) % 5] };
  block->size = size;
  block->align = align;
  for (unsigned i = 0; i < size - 8; i++)
    block->bytes[i] = (unsigned char) (size + i);
  GOMP_task (body, block, function ? copy : NULL, size, align, if_clause, depend ? 8 : 0,
	     depend ? list : NULL, 0, NULL);
  /* It is the task's own.  */
  if (if_clause || function)
    memset (block, 0xff, sizeof *block);
  made++;
  by_function += function;
}

/* From one size to the next, up to 400 and behind.  FEW: for a device that is simulated.  */
#ifdef FEW
enum { STEP = 29, LARGE_STEP = 1201 };
#else
enum { STEP = 1, LARGE_STEP = 211 };
#endif

static void
all (int kind)
{
  enum { MOST = 512 };
  /* Aligned by hand: what compilers for GPUs make of static variables is not always aligned as they ask for.  */
  static unsigned char room[sizeof (struct block) + MOST];
  struct block *block = (struct block *) (((uintptr_t) room + MOST - 1) & -(uintptr_t) MOST);
  for (unsigned align = 1; align <= MOST; align *= 2)
    for (unsigned size = 8; size <= 4000; size += size < 400 ? STEP : LARGE_STEP)
      make (block, size, align, kind & 1, kind & 2, kind & 4);
#pragma omp taskwait
}

int
main (void)
{
  for (int kind = 0; kind < 8; kind++)
    {
      all (kind);
#pragma omp parallel num_threads (3)
#pragma omp single
      all (kind);
    }
  if (wrong || ran != made || copied != by_function)
    return printf ("%d of %d tasks, %d of %d copies, %d wrong\n", ran, made, copied, by_function,
		   wrong), 1;
  return 0;
}
