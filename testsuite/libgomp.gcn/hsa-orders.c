/* Orders of the waves: a kernel that lacks a barrier gives the right result in order and shows by chance and
   under the adversary; one that has it is right in each order, for all groups.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900 */

#include "aux-hsa.h"
#include "aux-code.h"
#include "aux-again.h"

enum { GROUPS = 20, WAVES = 16 };

/* The status is the number of wrong results of the kernel without a barrier, 100 at most.  */
static int
run_kernels (void)
{
  struct code_choice lacks = CHOOSE (code_follow), has = CHOOSE (code_relay);
  hsa_queue_t *queue;
  int wrong = 0;
  start_hsa ();
  DO (hsa_queue_create (gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue));
  uint32_t *out = shared_memory (4 * GROUPS * WAVES);
  struct loaded l = load_code (0, &has);
  run_code (queue, &l, GROUPS, WAVES, out);
  for (unsigned i = 0; i < GROUPS * WAVES; i++)
    CHECK (out[i] == (i % WAVES + 1) % WAVES + 7);
  struct loaded f = load_code (0, &lacks);
  for (unsigned k = 0; k < 5; k++)
    {
      run_code (queue, &f, 1, WAVES, out);
      for (unsigned i = 0; i < WAVES; i++)
	wrong += out[i] != 77;
    }
  DO (hsa_executable_destroy (l.executable));
  DO (hsa_executable_destroy (f.executable));
  DO (hsa_amd_memory_pool_free (out));
  DO (hsa_queue_destroy (queue));
  stop_hsa ();
  return wrong;
}

int
main (int argc, char **argv)
{
  static const struct { const char *order; bool shows; } orders[] =
    { { "inorder", false }, { "random:1", true }, { "random:2", true }, { "random:77", true },
      { "adversarial", true } };
  if (argc > 1 && strcmp (argv[1], "run") == 0)
    return run_kernels ();
  for (size_t i = 0; i < sizeof (orders) / sizeof (orders[0]); i++)
    {
      char *text;
      int wrong = run_again ("run", "GCN_SIM_ORDER", orders[i].order, &text);
      if (*text != 0 || wrong > 80 || (wrong != 0) != orders[i].shows)
	{
	  printf ("%s: %d wrong results\n%s", orders[i].order, wrong, text);
	  return 1;
	}
      free (text);
    }
  return 0;
}
