/* Many waves write and call at the same time, more than the ring has room for, while several threads of the host
   look and serve: every line comes once, in the order of its wave, and every call is served once, before its
   wave goes on.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/plugin -I@top_srcdir@/config/gcn -pthread  */

#include "aux-console.h"

enum { WAVES = 6, LINES = 800, SERVERS = 3 };

static struct gcn_console *console;
static _Atomic int left = WAVES;
static _Atomic long served;

static void *
wave (void *arg)
{
  int number = (int) (intptr_t) arg;
  for (int i = 0; i < LINES; i++)
    {
      char text[40];
      snprintf (text, sizeof (text), "%d %d\n", number, i);
      aux_write (aux_record (console, GCN_RECORD_RAW, text));
      if (i % 8 == 0)
	{
	  long result = 0;
	  struct gcn_record *r = aux_record (console, GCN_RECORD_CALL, "");
	  r->u.call[0] = (uintptr_t) &result;
	  r->u.call[1] = (uint64_t) i;
	  aux_write (r);
	  while (atomic_load (&r->xwritten) != 0)
	    sched_yield ();
	  if (result != i + 1)
	    abort ();
	}
    }
  atomic_fetch_sub (&left, 1);
  return NULL;
}

static void *
serve (void *arg)
{
  (void) arg;
  while (atomic_load (&left) > 0 || gcn_console_speaks (console))
    {
      uint64_t words[6];
      int i = gcn_console_find_call (&aux_device);
      if (i < 0)
	sched_yield ();
      else if (gcn_console_take_call (&aux_device, i, words))
	{
	  *(long *) (uintptr_t) words[0] += (long) words[1] + 1;
	  atomic_fetch_add (&served, 1);
	  gcn_console_answer (&aux_device, i);
	}
    }
  return NULL;
}

int
main (void)
{
  pthread_t waves[WAVES], servers[SERVERS];
  int next[WAVES] = { 0 }, number, i, lines = 0;
  char text[100];

  console = aux_open (true);
  aux_capture ();
  gcn_console_begin (console, 1);
  for (intptr_t n = 0; n < WAVES; n++)
    if (pthread_create (&waves[n], NULL, wave, (void *) n) != 0)
      return 77;
  for (int n = 0; n < SERVERS; n++)
    if (pthread_create (&servers[n], NULL, serve, NULL) != 0)
      return 77;
  for (int n = 0; n < WAVES; n++)
    pthread_join (waves[n], NULL);
  for (int n = 0; n < SERVERS; n++)
    pthread_join (servers[n], NULL);
  aux_done = 1;
  CHECK (gcn_console_look (&aux_device, console, NULL) == GOMP_OK);
  CHECK (served == WAVES * (LINES / 8));
  rewind (out);
  while (fgets (text, sizeof (text), out) != NULL)
    {
      lines++;
      if (sscanf (text, "%d %d", &number, &i) != 2 || number < 0 || number >= WAVES || i != next[number])
	{
	  fprintf (stderr, "line %d is %s", lines, text);
	  return 1;
	}
      next[number]++;
    }
  CHECK (lines == WAVES * LINES);
  aux_close ();
  return failures != 0;
}
