/* Depend lists, written down as a compiler passes them: tests can use every type of dependence
   with any compiler.  */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void GOMP_task (void (*) (void *), void *, void (*) (void *, void *), long, long, bool,
		       unsigned, void **, int, void *);
extern void GOMP_taskwait_depend (void **);

enum { IN = 1, OUT, INOUT, MUTEXINOUTSET, INOUTSET };

/* A depend object as the compiler lays it out.  */
struct object { void *addr; uintptr_t type; };

struct dep { void *addr; int type; bool object; };

enum { MAX_DEPS = 64 };
struct list
{
  void *words[5 + MAX_DEPS];
  struct object objects[MAX_DEPS];
};

/* Form A where that can be, form B where it must be, or if FORM_B.  */
static inline void **
make_list (struct list *list, const struct dep *deps, int n, bool form_b)
{
  static const int groups[] = { INOUT, MUTEXINOUTSET, IN };
  int counts[3] = { 0 }, w = 5, objects = 0;

  for (int i = 0; i < n; i++)
    form_b |= deps[i].object || deps[i].type == MUTEXINOUTSET || deps[i].type == INOUTSET;
  if (!form_b)
    w = 2;
  for (int g = 0; g < 3; g++)
    for (int i = 0; i < n; i++)
      if (!deps[i].object && (deps[i].type == OUT ? INOUT : deps[i].type) == groups[g])
	{
	  list->words[w++] = deps[i].addr;
	  counts[g]++;
	}
  for (int i = 0; i < n; i++)
    if (deps[i].object || deps[i].type == INOUTSET)
      {
	list->objects[objects] = (struct object) { deps[i].addr, deps[i].type };
	list->words[w++] = &list->objects[objects++];
      }
  list->words[0] = form_b ? NULL : (void *) (uintptr_t) n;
  list->words[1] = form_b ? (void *) (uintptr_t) n : (void *) (uintptr_t) counts[0];
  if (form_b)
    for (int g = 0; g < 3; g++)
      list->words[2 + g] = (void *) (uintptr_t) counts[g];
  return list->words;
}

#define DEPS(...) (const struct dep[]) { __VA_ARGS__ }, \
  (int) (sizeof ((const struct dep[]) { __VA_ARGS__ }) / sizeof (struct dep))

struct call { void (*fn) (void *); void *word; };

static inline void
make_call (void *p)
{
  struct call *call = p;
  call->fn (call->word);
}

/* A task that calls FN (WORD), with the dependences given.  */
static inline void
task_if (bool deferred, void (*fn) (void *), void *word, const struct dep *deps, int n)
{
  struct list list;
  struct call call = { fn, word };
  GOMP_task (make_call, &call, NULL, sizeof (call), _Alignof (struct call), deferred, 8,
	     make_list (&list, deps, n, false), 0, NULL);
}

static inline void
task (void (*fn) (void *), void *word, const struct dep *deps, int n)
{
  task_if (true, fn, word, deps, n);
}

static inline void
taskwait_depend (const struct dep *deps, int n)
{
  struct list list;
  GOMP_taskwait_depend (make_list (&list, deps, n, false));
}

__attribute__ ((unused)) static int failures;
#define CHECK(cond)							\
  do									\
    if (!(cond))							\
      {									\
	printf ("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond);	\
	failures++;							\
      }									\
  while (0)
