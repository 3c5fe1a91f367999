/* OMP_ALLOCATOR with traits makes the default allocator, in every thread.  */

#include "aux-run-self.h"
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

/* Prints what the default allocator does.  */
static void
look (void)
{
  omp_allocator_handle_t h = omp_get_default_allocator ();
  void *small = omp_alloc (100, omp_null_allocator), *p[20];
  int align = 8, n = 0;
  while (align < 1 << 20 && (uintptr_t) small % (2 * align) == 0)
    align *= 2;
  while (n < 20 && (p[n] = omp_alloc (1000, h)) != NULL)
    n++;
  printf ("made=%d align%s64 blocks=%d\n", h > 201, align >= 64 ? ">=" : "<", n);
  for (int i = 0; i < n; i++)
    omp_free (p[i], h);
  omp_free (small, h);
}

static void *
thread (void *arg)
{
  look ();
  return arg;
}

int
main (int argc, char **argv)
{
  (void) argv;
  if (argc > 1)
    {
      pthread_t t;
      look ();
#pragma omp parallel num_threads (2)
      if (omp_get_thread_num () == 1)
	look ();
      pthread_create (&t, NULL, thread, NULL);
      pthread_join (t, NULL);
      fflush (stdout);
      return 0;
    }

#define THREE(x) x x x
#define SPACE "OMP_ALLOCATOR=omp_default_mem_space:"
  expect_run (SPACE "alignment=64,pool_size=4096,fallback=null_fb",
	      THREE ("made=1 align>=64 blocks=3\n"), NULL);
  expect_run ("OMP_ALLOCATOR= Omp_Large_Cap_Mem_Space : ALIGNMENT = 4096 ",
	      THREE ("made=1 align>=64 blocks=20\n"), NULL);
  expect_run (SPACE "pool_size=10000,pool_size=3000,fallback=abort_fb,fallback=null_fb,"
	      "sync_hint=private,access=thread,partition=interleaved,pinned=false,alignment=128",
	      THREE ("made=1 align>=64 blocks=2\n"), NULL);
  expect_run (SPACE "pool_size=3000,alignment=64", THREE ("made=1 align>=64 blocks=20\n"), NULL);
  /* Without a next allocator it is the default one, which is this one.  */
  expect_run (SPACE "pool_size=3000,fallback=allocator_fb,alignment=64",
	      THREE ("made=1 align>=64 blocks=2\n"), NULL);
  expect_run ("OMP_ALLOCATOR=ompx_gnu_managed_mem_space:alignment=64",
	      THREE ("made=1 align>=64 blocks=20\n"), NULL);
  expect_run ("OMP_ALLOCATOR=ompx_gnu_managed_mem_alloc", "made=0 align", NULL);
  expect_run (SPACE "pinned=true,pinned=false,sync_hint=serialized", "made=1 ", NULL);
  for (int i = 0; i < 4; i++)
    {
      static const char *const words[4] = {
	SPACE "sync_hint=contended,access=all,fallback=default_mem_fb,partition=environment",
	SPACE "sync_hint=uncontended,access=cgroup,partition=nearest",
	SPACE "sync_hint=serialized,access=pteam,partition=blocked",
	SPACE "sync_hint=private,access=thread,partition=interleaved" };
      expect_run (words[i], "made=1 ", NULL);
    }

  /* What is shown is what was given.  */
  expect_run ("OMP_DISPLAY_ENV=true|" SPACE "alignment=64,pool_size=4096", "made=1", NULL);
  if (!strstr (run_output, "[host] OMP_ALLOCATOR = 'omp_default_mem_space:alignment=64,pool_size=4096'\n"))
    run_complain ("OMP_DISPLAY_ENV", "allocator not shown", "");

  /* None can be made.  */
#define CANNOT "Allocator of environment variable OMP_ALLOCATOR cannot be created," \
	       " using omp_default_mem_alloc instead"
  expect_run (SPACE "alignment=3", "made=0 align", CANNOT);
  expect_run (SPACE "alignment=48,alignment=64", "made=0 align", CANNOT);
  expect_run (SPACE "alignment=18446744073709551615", "made=0 align", CANNOT);
  /* Not understood.  */
#define BAD "Invalid value for environment variable OMP_ALLOCATOR when parsing: "
  expect_run (SPACE "alignment=64;", "made=0 align", BAD ";");
  expect_run (SPACE "alignment=64 pool_size=1", "made=0 align", BAD " pool_size=1");
  expect_run (SPACE "pool_size=-1", "made=0 align", BAD "-1");
  expect_run (SPACE "pool_size=18446744073709551616", "made=0 align", BAD "18446744073709551616");
  expect_run (SPACE "fb_data=1", "made=0 align", BAD "fb_data=1");
  expect_run (SPACE "access=private", "made=0 align", BAD "private");
  expect_run ("OMP_ALLOCATOR=omp_default_mem_alloc:alignment=64", "made=0 align", BAD ":alignment=64");
  return run_failures != 0;
}
