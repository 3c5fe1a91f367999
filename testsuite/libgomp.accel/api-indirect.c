/* GOMP_target_map_indirect_ptr with tables of every size, sorted as our plugin makes them and in any order as
   GCC's does.  The source itself is tested, because the library keeps the table to itself.
   TEST-OPTIONS: -I@top_srcdir@/testsuite/lib/accel-host -I@top_srcdir@/config/accel -I@top_srcdir@/config/nvptx -Wno-unknown-pragmas  */

#include "../../config/accel/indirect.c"

#include <stdio.h>

struct gompx_plugin gompx_plugin;
__thread unsigned host_thread;
unsigned host_threads = 1;
unsigned host_fences;
void *const host_shared = NULL;
void host_no_thread (void) { __builtin_abort (); }
void host_barrier (unsigned id, unsigned count) { (void) id; (void) count; }
void host_pause (unsigned turn) { (void) turn; }
void *host_pool (unsigned *size) { *size = 0; return NULL; }
void host_print (const char *text) { puts (text); }
void host_end_program (void) { __builtin_abort (); }

#define MOST 40
static char host[2 * MOST + 2], device[MOST];
static struct pair table[MOST + 1];

int
main (void)
{
  int wrong = 0;
  /* No table.  */
  wrong += GOMP_target_map_indirect_ptr (host) != host || GOMP_target_map_indirect_ptr (NULL) != NULL;
  __gomp_indirect_addr_map = table;
  for (int n = 0; n <= MOST; n++)
    for (int sorted = 0; sorted < 2; sorted++)
      {
	for (int i = 0; i < n; i++)
	  {
	    int k = sorted ? i : n - 1 - i;
	    table[k].host = &host[2 * i + 1];
	    table[k].device = &device[i];
	  }
	table[n].host = NULL;
	gompx_plugin.indirect_sorted = sorted ? n : 0;
	for (int i = 0; i < 2 * MOST + 2; i++)
	  {
	    void *expected = i % 2 == 1 && i / 2 < n ? &device[i / 2] : &host[i];
	    if (GOMP_target_map_indirect_ptr (&host[i]) != expected)
	      {
		printf ("%d pairs, sorted %d, address %d\n", n, sorted, i);
		wrong++;
	      }
	  }
	wrong += GOMP_target_map_indirect_ptr (NULL) != NULL;
      }
  return wrong != 0;
}
