/* omp.h has the types, values and functions of the ABI.  The compiler does the checking;
   omp-h-compiler.c is the same with the compiler's own header.  */

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "omp-h-since.h"

#define TYPE(name, size, align, since)					\
  SINCE_##since (_Static_assert (sizeof (name) == (size), "size of " #name); \
		 _Static_assert (_Alignof (name) == (align), "alignment of " #name);)
#define VALUE(name, value, since)					\
  SINCE_##since (_Static_assert ((name) == (value), "value of " #name);)
#define FUNCTION(name, result, arguments, since)			\
  SINCE_##since (_Static_assert						\
		   (__builtin_types_compatible_p (__typeof__ (name), result arguments), \
		    "type of " #name);)
#include "omp-h-list.h"

_Static_assert (offsetof (omp_alloctrait_t, key) == 0, "key");
_Static_assert (offsetof (omp_alloctrait_t, value) == 8, "value");

/* What the compiler itself wants to know about the types.  Only compiled.  */
int clauses (void);

int
clauses (void)
{
  int x = 1;
  omp_depend_t dep;
  #pragma omp depobj (dep) depend (inout: x)
  #pragma omp depobj (dep) destroy
  #pragma omp parallel firstprivate (x) allocate (omp_default_mem_alloc: x) if (0)
  x++;
  #pragma omp critical (named) hint (omp_sync_hint_contended | omp_sync_hint_speculative)
  x++;
  return x;
}

int
main (void)
{
  /* All bytes zero is an unlocked lock, and the forms with a hint link.  */
  static omp_lock_t lock;
  static omp_nest_lock_t nest;
#ifndef COMPILER_HEADER
  memset (&lock, 0xff, sizeof lock);
  omp_init_lock_with_hint (&lock, omp_sync_hint_contended);
  memset (&nest, 0xff, sizeof nest);
  omp_init_nest_lock_with_hint (&nest, omp_sync_hint_none);
#endif
  omp_set_lock (&lock);
  if (omp_test_lock (&lock))
    return printf ("a lock could be set twice\n"), 1;
  omp_unset_lock (&lock);
  omp_set_nest_lock (&nest);
  int depth = omp_test_nest_lock (&nest);
  if (depth != 2)
    return printf ("a nestable lock set twice has depth %d\n", depth), 1;
  omp_unset_nest_lock (&nest);
  omp_unset_nest_lock (&nest);
  return 0;
}
