/* OMP_PLACES and GOMP_CPU_AFFINITY: which places come out, and what is said about bad ones.
   Runs on any machine: CPU numbers are those of the affinity mask, the first is A.  */

#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>

#include "aux-run-self.h"

#define BAD "Invalid value for environment variable OMP_PLACES: "
#define BAD_CPUS "Invalid value for enviroment variable GOMP_CPU_AFFINITY: "

static int cpus[CPU_SETSIZE], ncpus;
static int limit;	/* no CPU of the machine can have a number as high as this */

/* The place list as {0,1},{7}.  */
static void
print_places (void)
{
  int ids[CPU_SETSIZE];

  printf ("bind %d places ", (int) omp_get_proc_bind ());
  for (int i = 0; i < omp_get_num_places (); i++)
    {
      int n = omp_get_place_num_procs (i);
      omp_get_place_proc_ids (i, ids);
      printf ("%s{", i ? "," : "");
      for (int j = 0; j < n; j++)
	printf ("%s%d", j ? "," : "", ids[j]);
      printf ("}");
    }
  printf (" part %d num %d bad %d %d procs %d\n", omp_get_partition_num_places (),
	  omp_get_place_num (), omp_get_place_num_procs (-1),
	  omp_get_place_num_procs (omp_get_num_places ()), omp_get_num_procs ());
}

/* TEXT with A, B for the first two usable CPUs and Z for one that does not exist.  */
static const char *
fill (const char *text)
{
  static char buffers[4][CPU_SETSIZE * 8 + 64];
  static int turn;
  char *to = buffers[turn++ % 4], *start = to;
  for (; *text; text++)
    if (*text == '@')
      {
	text++;
	to += sprintf (to, "%d", *text == 'A' ? cpus[0] : *text == 'B' ? cpus[1] : limit);
      }
    else
      *to++ = *text;
  *to = 0;
  return start;
}

/* Good: the place list.  NOTE: another line that has to be there.  */
static void
good (const char *settings, const char *places, const char *note)
{
  char wanted[CPU_SETSIZE * 8 + 64];
  settings = fill (settings);
  snprintf (wanted, sizeof wanted, "places %s part", fill (places));
  if (run_self (settings, "child") != 0 || !strstr (run_output, wanted))
    run_complain (settings, "wanted ", wanted);
  if (!strstr (run_output, *places ? " num 0 " : " num -1 "))
    run_complain (settings, "the initial thread is not at place 0", "");
  snprintf (wanted, sizeof wanted, "\nlibgomp: %s\n", note ? fill (note) : "");
  if (note ? !strstr (run_output, wanted) : strstr (run_output, "\nlibgomp: ") != NULL)
    run_complain (settings, "note: ", note ? note : "none");
}

/* Bad: no places, message NOTE if not NULL, then BAD.  */
static void
bad (const char *name, const char *value, const char *note)
{
  char settings[2048], wanted[2048];
  value = fill (value);
  snprintf (settings, sizeof settings, "%s=%s", name, value);
  if (run_self (settings, "child") != 0 || !strstr (run_output, "bind 0 places  part 0 num -1"))
    run_complain (settings, "places, or wrong status", "");
  snprintf (wanted, sizeof wanted, "%s%s%s\nlibgomp: %s%s\n",
	    note ? "\nlibgomp: " : "", note ? fill (note) : "", note ? "\n" : "",
	    *name == 'O' ? BAD : BAD_CPUS, value);
  if (!strstr (run_output, wanted))
    run_complain (settings, "wanted ", wanted);
}

/* The number of the socket or NUMA node that CPU belongs to, by other files than those that
   the library reads; -1: unknown.  */
static int
part_of (int cpu, int numa)
{
  char path[128];
  int n = -1;
  if (numa)
    {
      for (int node = 0; node < 1024; node++)
	{
	  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
	  if (access (path, F_OK) == 0)
	    return node;
	}
      return -1;
    }
  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
  FILE *f = fopen (path, "r");
  if (f)
    {
      if (fscanf (f, "%d", &n) != 1)
	n = -1;
      fclose (f);
    }
  return n;
}

/* The places of a kind as the machine has them, in TO; false when it does not tell, or when
   their order is not clear.  */
static int
parts_text (char *to, int numa)
{
  static char done[CPU_SETSIZE];
  int last = -1;
  memset (done, 0, sizeof done);
  *to = 0;
  for (int i = 0; i < ncpus; i++)
    {
      int part = part_of (cpus[i], numa);
      if (part < 0)
	return 0;
      if (done[i])
	continue;
      if (part < last)
	return 0;
      last = part;
      to += sprintf (to, "%s{", i ? "," : "");
      for (int j = i; j < ncpus; j++)
	if (part_of (cpus[j], numa) == part)
	  {
	    to += sprintf (to, "%s%d", j > i ? "," : "", cpus[j]);
	    done[j] = 1;
	  }
      to += sprintf (to, "}");
    }
  return 1;
}

int
main (int argc, char **argv)
{
  cpu_set_t mask;
  char all[CPU_SETSIZE * 8], *p = all;

  if (argc > 1)
    {
      print_places ();
      return 0;
    }
  if (sched_getaffinity (0, sizeof mask, &mask) != 0)
    {
      printf ("more CPUs than this test knows\n");
      return 77;
    }
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &mask))
      cpus[ncpus++] = i;
  if (ncpus < 2)
    {
      printf ("needs two CPUs\n");
      return 77;
    }
  limit = 1 << 20;

  /* Lists.  */
  good ("OMP_PLACES=@A", "{@A}", NULL);
  good ("OMP_PLACES={@A}", "{@A}", NULL);
  good ("OMP_PLACES= { @B , @A } , @B ", "{@A,@B},{@B}", NULL);
  good ("OMP_PLACES={@B},{@A},{@B}", "{@B},{@A},{@B}", NULL);
  good ("OMP_PLACES={@A,@B,!@A}", "{@B}", NULL);
  good ("OMP_PLACES={@A,!@B,@B}", "{@A}", NULL);
  good ("OMP_PLACES={@A,@B},{@A},!{@B,@A}", "{@A}", NULL);
  good ("OMP_PLACES={@A},{@B},{@A},!@A", "{@B},{@A}", NULL);
  good ("OMP_PLACES={@A}:1,@B:1:5", "{@A},{@B}", NULL);
  good ("OMP_PLACES={@A:1:7}", "{@A}", NULL);
  good ("OMP_PLACES={+@A}", "{@A}", NULL);
  good ("OMP_PLACES={@A}:3:0", "{@A},{@A},{@A}", NULL);
  if (cpus[1] == cpus[0] + 1)
    {
      good ("OMP_PLACES={@A:2}", "{@A,@B}", NULL);
      good ("OMP_PLACES={@B:2:-1}", "{@A,@B}", NULL);
      good ("OMP_PLACES={@A}:2", "{@A},{@B}", NULL);
      good ("OMP_PLACES=@A:2", "{@A},{@B}", NULL);
      good ("OMP_PLACES={@B}:2:-1", "{@B},{@A}", NULL);
      good ("OMP_PLACES=@B : 2 : - 1", "{@B},{@A}", NULL);
    }

  /* Kinds.  */
  for (int i = 0; i < ncpus; i++)
    p += sprintf (p, "%s{%d}", i ? "," : "", cpus[i]);
  good ("OMP_PLACES=threads", all, NULL);
  good ("OMP_PLACES= Threads ( 1 ) ", "{@A}", NULL);
  good ("OMP_PLACES=threads(2)", "{@A},{@B}", NULL);
  good ("OMP_PLACES=threads(99999999)", all, NULL);
  good ("OMP_PROC_BIND=true", all, NULL);
  good ("OMP_PROC_BIND=spread,close", all, NULL);
  good ("OMP_PROC_BIND=false|OMP_PLACES=threads", "", NULL);
  good ("OMP_PROC_BIND=false|OMP_PLACES=nonsense|GOMP_CPU_AFFINITY=x", "", NULL);
  for (int i = 0; i < 4; i++)
    {
      static const char *const kinds[] = { "cores", "sockets", "ll_caches", "numa_domains" };
      char settings[64];
      snprintf (settings, sizeof settings, "OMP_PLACES=%s", kinds[i]);
      /* Not every machine tells its topology.  */
      if (run_self (settings, "child") != 0
	  || (!strstr (run_output, "bind 1 places {")
	      && !strstr (run_output, "Error reading core/socket topology")))
	run_complain (settings, "neither places nor the message", "");
    }
  if (parts_text (all, 0))
    good ("OMP_PLACES=sockets", all, NULL);
  if (parts_text (all, 1))
    good ("OMP_PLACES=numa_domains", all, NULL);
  if (run_self ("OMP_PLACES=cores(0)", "child") != 0
      || !strstr (run_output, "Error reading core/socket topology")
      || strstr (run_output, "Invalid") || !strstr (run_output, "places  part 0"))
    run_complain ("OMP_PLACES=cores(0)", "no places, no complaint but one", "");

  /* CPU lists.  */
  good ("GOMP_CPU_AFFINITY=@B @A", "{@B},{@A}", NULL);
  good ("GOMP_CPU_AFFINITY= @B , @A ", "{@B},{@A}", NULL);
  good ("GOMP_CPU_AFFINITY=@A-@A", "{@A}", NULL);
  good ("GOMP_CPU_AFFINITY=@A-@A:3,@B", "{@A},{@B}", NULL);
  good ("OMP_PLACES=@A|GOMP_CPU_AFFINITY=@B", "{@A}", NULL);
  good ("OMP_PLACES=nonsense|GOMP_CPU_AFFINITY=@B", "{@B}", BAD "nonsense");
  good ("GOMP_CPU_AFFINITY=@A,65535", "{@A}",
	"Number of places reduced from 2 to 1 because some places didn't contain any usable logical CPUs");

  /* Nonsense.  */
  static const char *const nonsense[] = {
    "", " ", "nowhere", "{", "}", "{}", "{@A", "@A}", "{@A},", ",{@A}", "{@A}{@B}", "{@A}:0",
    "{@A}:x", "{@A}:", "{@A}:1:", "{@A}:65536", "{@A:0}", "{@A:}", "{@A:1:}", "{@A,}", "{,@A}",
    "{@A:65536}", "{0x0}", "threads(", "threads(x)", "threads()", "threads(1", "threads(-1)",
    "threads,cores", "threads 1", "threadsx", "!", "{!}", "{@A}:1:99999999999", "-1", "{-1}",
  };
  for (unsigned i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
    bad ("OMP_PLACES", nonsense[i], NULL);
  bad ("OMP_PLACES", "@Z", "Logical CPU number @Z out of range");
  bad ("OMP_PLACES", "{@A,@Z}", "Logical CPU number @Z out of range");
  bad ("OMP_PLACES", "{0:2:-1}", "Logical CPU number 0+-1 out of range");
  bad ("OMP_PLACES", "{0}:2:-1", "Logical CPU number 0+-1 out of range");
  bad ("OMP_PLACES", "{@A,!@B}", "Logical CPU @B to be removed is not in the set");
  bad ("OMP_PLACES", "{@A},!{@B}", "Trying to remove a non-existing place from list of places");
  bad ("OMP_PLACES", "!@A", "Trying to remove a non-existing place from list of places");
  bad ("OMP_PLACES", "{@A},!{@A}", "All places have been removed");
  bad ("OMP_PLACES", "{@A},!{@A}:1", NULL);
  bad ("OMP_PLACES", "{@A,!@A}", "None of the places contain usable logical CPUs");

  static const char *const no_cpus[] = {
    "", "x", "@A,,@B", "@A,", ",@A", "@B-", "1-0", "@A-@B:0", "65536", "0-65536", "0-99999999999",
    "-1", "@A;@B", "@A-x", "@A -@B",
  };
  for (unsigned i = 0; i < sizeof no_cpus / sizeof *no_cpus; i++)
    bad ("GOMP_CPU_AFFINITY", no_cpus[i], NULL);
  bad ("GOMP_CPU_AFFINITY", "65535", "None of the places contain usable logical CPUs");

  return run_failures != 0;
}
