/* Code objects on the simulator: which agents take them, relocations and symbols, files that are cut short or
   say something wrong, the older functions, and complaints.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900,gfx906,gfx90a:xnack+,gfx90a:sramecc- */
/* TEST-ENV: GCN_SIM_AGENTS=4 */

#include "aux-hsa.h"
#include "aux-code.h"

/* What loading the file on an agent answers.  */
static hsa_status_t
try (const void *file, size_t size, unsigned gpu)
{
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  DO (hsa_code_object_reader_create_from_memory (file, size, &reader));
  DO (hsa_executable_create_alt (HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
				 &executable));
  hsa_status_t status = hsa_executable_load_agent_code_object (executable, gpu_agent[gpu], reader,
							       NULL, NULL);
  DO (hsa_executable_destroy (executable));
  DO (hsa_code_object_reader_destroy (reader));
  return status;
}

static hsa_status_t
try_flags (uint32_t flags, unsigned abi_version, unsigned gpu)
{
  struct code_choice c = CHOOSE (code_number);
  size_t size;
  c.e_flags = flags;
  c.abi_version = abi_version;
  unsigned char *file = make_code_object (&c, &size);
  hsa_status_t status = try (file, size, gpu);
  free (file);
  return status;
}

static void
check_agents (void)
{
  enum { NO = HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, YES = HSA_STATUS_SUCCESS };
  static const struct { uint32_t flags; unsigned abi_version; int answers[4]; } rows[] =
    {
      { FLAGS_GFX900, 2, { YES, NO, NO, NO } },
      { FLAGS_GFX906, 2, { NO, YES, NO, NO } },
      { FLAGS_GFX90A, 2, { NO, NO, YES, YES } },
      { FLAGS_GFX90A | 0x300, 2, { NO, NO, YES, NO } },		/* xnack+ */
      { 0x63f, 2, { NO, NO, NO, YES } },			/* xnack-, any sramecc */
      { 0xd3f, 2, { NO, NO, YES, NO } },			/* any xnack, sramecc+ */
      { 0x93f, 2, { NO, NO, NO, YES } },			/* sramecc- */
      { FLAGS_GFX9_GENERIC, 4, { YES, YES, NO, NO } },
      { 0x2a, 1, { NO, NO, NO, NO } },				/* gfx803 */
      { 0x2c, 1, { YES, NO, NO, NO } },
      { 0x36, 2, { NO, NO, NO, NO } },				/* gfx1030 */
      { FLAGS_GFX900, 0, { NO, NO, NO, NO } },
      { FLAGS_GFX900, 9, { NO, NO, NO, NO } }
    };
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    for (unsigned gpu = 0; gpu < 4; gpu++)
      {
	hsa_status_t status = try_flags (rows[i].flags, rows[i].abi_version, gpu);
	if (status != rows[i].answers[gpu])
	  {
	    printf ("flags %#x version %u on GPU %u: %#x\n", rows[i].flags, rows[i].abi_version, gpu,
		    (unsigned) status);
	    exit (1);
	  }
      }
}

/* What is wrong is refused; nothing that is loaded makes the simulator read beyond the file.  */
static void
check_damage (void)
{
  struct code_choice c = CHOOSE (code_number);
  size_t size;
  unsigned char *file = make_code_object (&c, &size);
  for (size_t n = 1; n < size; n += n < 1024 ? 1 : 16)
    {
      unsigned char *part = malloc (n);
      CHECK (part != NULL);
      memcpy (part, file, n);
      CHECK (try (part, n, 0) != HSA_STATUS_SUCCESS || n > AT_CODE);
      free (part);
    }
  static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
  for (size_t i = 0; i < size; i += i < 0x400 ? 1 : 7)
    for (size_t v = 0; v < sizeof (values); v++)
      {
	unsigned char old = file[i];
	file[i] = values[v];
	try (file, size, 0);
	file[i] = old;
      }
  CHECK (try (file, size, 0) == HSA_STATUS_SUCCESS);
  free (file);
  c.relocation = 1;
  file = make_code_object (&c, &size);
  CHECK (try (file, size, 0) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  free (file);
}

static hsa_status_t
count_symbol (hsa_executable_t e, hsa_executable_symbol_t symbol, void *data)
{
  char name[100] = "";
  uint32_t len;
  (void) e;
  DO (hsa_executable_symbol_get_info (symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &len));
  DO (hsa_executable_symbol_get_info (symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name));
  CHECK (len == strlen (name) && (strcmp (name, "test.kd") == 0 || strcmp (name, "test_var") == 0));
  ++*(int *) data;
  return HSA_STATUS_SUCCESS;
}

static void
check_symbols (hsa_executable_t e)
{
  hsa_executable_symbol_t kernel, var, again;
  uint64_t addr, content;
  uint32_t bytes;
  int kind, n = 0;
  DO (hsa_executable_get_symbol_by_name (e, "test.kd", &gpu_agent[0], &kernel));
  DO (hsa_executable_get_symbol (e, NULL, "test.kd", gpu_agent[0], 0, &again));
  CHECK (again.handle == kernel.handle);
  DO (hsa_executable_get_symbol_by_name (e, "test_var", &gpu_agent[0], &var));
  DO (hsa_executable_symbol_get_info (kernel, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
  CHECK (kind == HSA_SYMBOL_KIND_KERNEL);
  DO (hsa_executable_symbol_get_info (var, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
  CHECK (kind == HSA_SYMBOL_KIND_VARIABLE);
  DO (hsa_executable_symbol_get_info (var, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &addr));
  DO (hsa_executable_symbol_get_info (var, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &bytes));
  CHECK (bytes == 8);
  DO (hsa_memory_copy (&content, (void *) addr, 8));
  CHECK (content == addr);
  DO (hsa_executable_symbol_get_info (kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &addr));
  CHECK (addr % 64 == 0);
  DO (hsa_executable_symbol_get_info (kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE,
				      &bytes));
  CHECK (bytes == 8);
  CHECK_STATUS (hsa_executable_get_symbol_by_name (e, "test_function", &gpu_agent[0], &again),
		HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  CHECK_STATUS (hsa_executable_get_symbol_by_name (e, "test.kd", &gpu_agent[1], &again),
		HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  DO (hsa_executable_iterate_symbols (e, count_symbol, &n));
  CHECK (n == 2);
  MISUSE (hsa_executable_symbol_get_info (var, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &addr),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "attribute 22 of variable test_var");
  var.handle += 4;
  MISUSE (hsa_executable_symbol_get_info (var, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind),
	  HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL, "is no symbol");
}

int
main (void)
{
  struct code_choice c = CHOOSE (code_number);
  hsa_executable_t e;
  hsa_executable_symbol_t s;
  hsa_code_object_t o;
  size_t size;
  unsigned n = 0;
  unsigned char *file = make_code_object (&c, &size);
  start_hsa ();
  check_agents ();
  check_damage ();

  /* By the older functions, the newer ones being used everywhere else.  */
  DO (hsa_executable_create (HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &e));
  DO (hsa_code_object_deserialize (file, size, NULL, &o));
  DO (hsa_executable_load_code_object (e, gpu_agent[0], o, NULL));
  DO (hsa_code_object_destroy (o));
  MISUSE (hsa_executable_get_symbol_by_name (e, "test.kd", &gpu_agent[0], &s), HSA_STATUS_SUCCESS,
	  "the executable is not frozen");
  DO (hsa_executable_freeze (e, NULL));
  MISUSE (hsa_executable_freeze (e, NULL), HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "it is frozen");
  check_symbols (e);
  MISUSE (hsa_code_object_destroy (o), HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "is a destroyed");
  COMPLAINS (n = leaks_p (), "leak: executable");
  CHECK (n == 1);
  DO (hsa_executable_destroy (e));
  MISUSE (hsa_executable_destroy (e), HSA_STATUS_ERROR_INVALID_EXECUTABLE, "is a destroyed");
  MISUSE (hsa_code_object_reader_destroy ((hsa_code_object_reader_t) { 1 }),
	  HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "is no reader");
  free (file);
  stop_hsa ();
  return 0;
}
