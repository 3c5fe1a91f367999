/* What GCN_SIM_COUNTS tells at the end is what the program has done; GCN_SIM_LOG has a line for each call and
   operation; GCN_SIM_LEAKS tells what was left.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900 */

#include "aux-hsa.h"
#include "aux-code.h"
#include "aux-again.h"

static void
work (bool leaves)
{
  struct code_choice c = CHOOSE (code_relay);
  hsa_queue_t *queue;
  start_hsa ();
  DO (hsa_queue_create (gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue));
  uint32_t *out = shared_memory (4096);
  void *dev = device_memory (0, 100);
  struct loaded l = load_code (0, &c);
  for (int i = 0; i < 3; i++)
    run_code (queue, &l, 4, 5, out);
  hsa_signal_t done = new_signal (1);
  DO (hsa_amd_memory_async_copy (dev, gpu_agent[0], out, cpu_agent, 100, 0, NULL, done));
  wait_zero (done);
  hsa_signal_store_relaxed (done, 1);
  enqueue_barrier (queue, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, done);
  wait_zero (done);
  DO (hsa_memory_copy (out, dev, 60));
  DO (hsa_executable_destroy (l.executable));
  if (leaves)
    return;
  DO (hsa_signal_destroy (done));
  DO (hsa_amd_memory_pool_free (out));
  DO (hsa_amd_memory_pool_free (dev));
  DO (hsa_queue_destroy (queue));
  stop_hsa ();
}

static char *
file_text (const char *name)
{
  char *text = calloc (1, 1 << 18);
  FILE *file = fopen (name, "r");
  CHECK (text != NULL && file != NULL);
  CHECK (fread (text, 1, (1 << 18) - 1, file) > 0);
  fclose (file);
  unlink (name);
  return text;
}

static void
has (const char *text, const char *line)
{
  if (strstr (text, line) == NULL)
    {
      printf ("no `%s' in:\n%s", line, text);
      exit (1);
    }
}

int
main (int argc, char **argv)
{
  char *said, *text;
  if (argc > 1)
    {
      work (strcmp (argv[1], "leave") == 0);
      return 0;
    }
  CHECK (run_again ("run", "GCN_SIM_COUNTS", "counts.txt", &said) == 0 && *said == 0);
  text = file_text ("counts.txt");
  static const char *const lines[] =
    {
      "packets 4\n", "dispatches 3\n", "barrier-packets 1\n", "doorbells 4\n", "groups 12\n",
      "waves 60\n", "barriers 12\n", "signals-created 4\n", "signals-destroyed 4\n", "copies 1\n",
      "copy-bytes 100\n", "sync-copies 1\n", "sync-copy-bytes 60\n", "allocations 5\n", "frees 5\n",
      "kernel-dispatches:test 3\n", "call:hsa_queue_create 1\n", "call:hsa_signal_create 4\n",
      "call:hsa_amd_memory_pool_free 5\n"
    };
  for (size_t i = 0; i < sizeof (lines) / sizeof (lines[0]); i++)
    has (text, lines[i]);
  /* Each wave goes straight through: 29 instructions.  */
  has (text, "kernel:test 1740\n");
  has (text, "\ninstructions 1740\n");
  free (said);
  free (text);

  CHECK (run_again ("run", "GCN_SIM_LOG", "log.txt", &said) == 0 && *said == 0);
  text = file_text ("log.txt");
  has (text, "call hsa_init\n");
  has (text, "start test packet 2 groups 4 waves 5\n");
  has (text, "finished test packet 2\n");
  has (text, "barrier packet 3\n");
  has (text, "shut down\nend\n");
  free (said);
  free (text);

  CHECK (run_again ("leave", "GCN_SIM_LEAKS", "1", &said) == 0);
  has (said, "gcn-sim: leak: queue ");
  has (said, "gcn-sim: leak: signal ");
  has (said, "gcn-sim: leak: 4096 bytes of system memory");
  has (said, "gcn-sim: leak: 100 bytes of device memory");
  free (said);
  return 0;
}
