/* Kernels that use memory which is not theirs: the other agent's, locked memory of the program, pages that the
   program has given to the agent, and, where agents may use everything, any.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900 */
/* TEST-ENV: GCN_SIM_AGENTS=2 */

#include "aux-hsa.h"
#include "aux-code.h"
#include "aux-again.h"

enum { GROUPS = 50 };

static hsa_queue_t *queue[2];
static struct loaded code[2];

static void
run_on (unsigned gpu, void *argument)
{
  run_code (queue[gpu], &code[gpu], GROUPS, 1, argument);
}

static bool
right (const uint32_t *words)
{
  for (unsigned i = 0; i < GROUPS; i++)
    if (words[i] != i + 100)
      return false;
  return true;
}

static void
start (void)
{
  struct code_choice c = CHOOSE (code_number);
  start_hsa ();
  for (unsigned i = 0; i < 2; i++)
    {
      DO (hsa_queue_create (gpu_agent[i], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue[i]));
      code[i] = load_code (i, &c);
    }
}

static void
stop (void)
{
  for (unsigned i = 0; i < 2; i++)
    {
      DO (hsa_queue_destroy (queue[i]));
      DO (hsa_executable_destroy (code[i].executable));
    }
  stop_hsa ();
}

static void
everything (void)
{
  bool by_default;
  start ();
  DO (hsa_system_get_info (HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, &by_default));
  CHECK (by_default);
  uint32_t *mine = calloc (GROUPS, 4);
  run_on (1, mine);
  CHECK (mine != NULL && right (mine));
  free (mine);
  uint32_t on_stack[GROUPS];
  run_on (0, on_stack);
  CHECK (right (on_stack));
  stop ();
}

int
main (int argc, char **argv)
{
  static uint32_t pages[2048] __attribute__ ((aligned (4096)));
  uint32_t words[GROUPS];
  void *seen;
  char *text;
  if (argc > 1 && strcmp (argv[1], "everything") == 0)
    {
      everything ();
      return 0;
    }
  if (run_again ("everything", "GCN_SIM_SVM", "1", &text) != 0)
    {
      printf ("%s", text);
      return 1;
    }
  free (text);
  start ();

  /* A peer's.  */
  void *dev = device_memory (1, sizeof (words));
  DO (hsa_amd_agents_allow_access (2, gpu_agent, NULL, dev));
  run_on (0, dev);
  DO (hsa_memory_copy (words, dev, sizeof (words)));
  CHECK (right (words));
  DO (hsa_amd_memory_pool_free (dev));

  /* Locked, at the address that the agent has for it.  */
  uint32_t *mine = calloc (GROUPS + 2, 4);
  CHECK (mine != NULL);
  DO (hsa_amd_memory_lock (mine + 1, sizeof (words), &gpu_agent[1], 1, &seen));
  run_on (1, seen);
  CHECK (right (mine + 1) && mine[0] == 0 && mine[GROUPS + 1] == 0);
  DO (hsa_amd_memory_unlock (mine + 1));
  free (mine);

  /* Given away by the page.  */
  hsa_amd_svm_attribute_pair_t p = { HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu_agent[1].handle };
  DO (hsa_amd_svm_attributes_set (pages + 1024, 4096, &p, 1));
  run_on (1, pages + 1024);
  CHECK (right (pages + 1024));
  stop ();
  return 0;
}
