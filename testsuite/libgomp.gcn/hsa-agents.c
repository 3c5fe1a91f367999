/* The simulated runtime: start and end, what it says about the system and the agents, what it says about
   wrong questions.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_AGENTS=3
   TEST-ENV: GCN_SIM_ISA=gfx90a:xnack+,gfx900
   TEST-ENV: GCN_SIM_CUS=7 */

#include "aux-hsa.h"

static hsa_isa_t found_isa;

static hsa_status_t
note_isa (hsa_isa_t isa, void *data)
{
  (void) data;
  found_isa = isa;
  return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t
stop_at_once (hsa_agent_t agent, void *data)
{
  (void) agent;
  ++*(int *) data;
  return HSA_STATUS_INFO_BREAK;
}

static void
check_name (unsigned gpu, const char *name, const char *isa_name)
{
  char text[100];
  uint32_t len;
  DO (hsa_agent_get_info (gpu_agent[gpu], HSA_AGENT_INFO_NAME, text));
  CHECK (strcmp (text, name) == 0);
  CHECK_STATUS (hsa_agent_iterate_isas (gpu_agent[gpu], note_isa, NULL), HSA_STATUS_INFO_BREAK);
  DO (hsa_isa_get_info_alt (found_isa, HSA_ISA_INFO_NAME_LENGTH, &len));
  DO (hsa_isa_get_info_alt (found_isa, HSA_ISA_INFO_NAME, text));
  CHECK (strcmp (text, isa_name) == 0 && len == strlen (isa_name) + 1);
  DO (hsa_isa_get_info (found_isa, HSA_ISA_INFO_NAME, 0, text));
  CHECK (strcmp (text, isa_name) == 0);
}

int
main (void)
{
  uint16_t major;
  uint32_t word;
  uint64_t first, second;
  const char *text;
  char uuid[3][21], name[64];
  int n = 0, type;
  bool flag;

  load_hsa ();
  /* Before hsa_init nothing works but texts.  */
  DO (hsa_status_string (HSA_STATUS_ERROR_OUT_OF_RESOURCES, &text));
  CHECK (strstr (text, "HSA_STATUS_ERROR_OUT_OF_RESOURCES") != NULL);
  CHECK_STATUS (hsa_status_string (12345, &text), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  MISUSE (hsa_iterate_agents (see_agent, NULL), HSA_STATUS_ERROR_NOT_INITIALIZED,
	  "misuse: hsa_iterate_agents is called without hsa_init");
  MISUSE (hsa_shut_down (), HSA_STATUS_ERROR_NOT_INITIALIZED, "misuse: hsa_shut_down");

  start_hsa ();
  DO (hsa_init ());
  DO (hsa_shut_down ());
  CHECK (num_gpus == 3 && cpu_agent.handle != 0);
  CHECK_STATUS (hsa_iterate_agents (stop_at_once, &n), HSA_STATUS_INFO_BREAK);
  CHECK (n == 1);

  DO (hsa_system_get_info (HSA_SYSTEM_INFO_VERSION_MAJOR, &major));
  CHECK (major == 1);
  DO (hsa_system_get_info (HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &second));
  CHECK (second >= 1000000);
  DO (hsa_system_get_info (HSA_SYSTEM_INFO_TIMESTAMP, &first));
  do
    DO (hsa_system_get_info (HSA_SYSTEM_INFO_TIMESTAMP, &second));
  while (second == first);
  CHECK (second > first);
  DO (hsa_system_get_info (HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, &flag));
  CHECK (!flag);
  MISUSE (hsa_system_get_info (0x777, &word), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "misuse: hsa_system_get_info: attribute 0x777");

  check_name (0, "gfx90a", "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+");
  check_name (1, "gfx900", "amdgcn-amd-amdhsa--gfx900:xnack-");
  check_name (2, "gfx900", "amdgcn-amd-amdhsa--gfx900:xnack-");
  for (unsigned i = 0; i < 3; i++)
    {
      DO (hsa_agent_get_info (gpu_agent[i], HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &word));
      CHECK (word == 7);
      DO (hsa_agent_get_info (gpu_agent[i], HSA_AGENT_INFO_WAVEFRONT_SIZE, &word));
      CHECK (word == 64);
      DO (hsa_agent_get_info (gpu_agent[i], HSA_AGENT_INFO_FEATURE, &word));
      CHECK (word == HSA_AGENT_FEATURE_KERNEL_DISPATCH);
      DO (hsa_agent_get_info (gpu_agent[i], HSA_AGENT_INFO_QUEUE_MAX_SIZE, &word));
      CHECK (word >= 1024 && (word & (word - 1)) == 0);
      DO (hsa_agent_get_info (gpu_agent[i], HSA_AMD_AGENT_INFO_UUID, uuid[i]));
      CHECK (strlen (uuid[i]) == 20 && strncmp (uuid[i], "GPU-", 4) == 0);
      for (unsigned j = 0; j < i; j++)
	CHECK (strcmp (uuid[i], uuid[j]) != 0);
    }
  DO (hsa_agent_get_info (cpu_agent, HSA_AGENT_INFO_FEATURE, &word));
  CHECK (word == 0);
  DO (hsa_agent_get_info (cpu_agent, HSA_AGENT_INFO_VENDOR_NAME, name));
  CHECK (strcmp (name, "CPU") == 0);
  DO (hsa_agent_get_info (gpu_agent[0], HSA_AGENT_INFO_VENDOR_NAME, name));
  CHECK (strcmp (name, "AMD") == 0);
  MISUSE (hsa_agent_get_info ((hsa_agent_t) { 77 }, HSA_AGENT_INFO_DEVICE, &type),
	  HSA_STATUS_ERROR_INVALID_AGENT, "misuse: hsa_agent_get_info: 0x4d is no agent");
  MISUSE (hsa_agent_get_info (cpu_agent, 0x9999, &type), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "misuse: hsa_agent_get_info: attribute 0x9999");
  MISUSE (hsa_isa_get_info_alt ((hsa_isa_t) { 5 }, HSA_ISA_INFO_NAME, name),
	  HSA_STATUS_ERROR_INVALID_ISA, "misuse: hsa_isa_get_info_alt: 0x5 is no ISA");

  stop_hsa ();
  MISUSE (hsa_iterate_agents (see_agent, NULL), HSA_STATUS_ERROR_NOT_INITIALIZED,
	  "without hsa_init");
  return 0;
}
