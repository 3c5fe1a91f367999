/* aux-subst.h -- a device library for tests of substitution: aux_library writes an archive, which
   GOMP_NVPTX_DEVICE_LIBRARY names, before the plugin starts.  */

#ifndef AUX_SUBST_H
#define AUX_SUBST_H 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AUX_PREAMBLE "// BEGIN PREAMBLE\n.version 6.0\n.target sm_30\n.address_size 64\n// END PREAMBLE\n"
#define AUX_DECL(name) "// BEGIN GLOBAL FUNCTION DECL: " name "\n.extern .func " name ";\n"
#define AUX_DEF(name) "// BEGIN GLOBAL FUNCTION DEF: " name "\n.visible .func " name "\n{\nret;\n}\n"
#define AUX_WEAK(name) "// BEGIN WEAK FUNCTION DEF: " name "\n.weak .func " name "\n{\nret;\n}\n"
/* A function that is none of a compiler's counts as code that is reached, and keeps what it names.  */
#define AUX_USE(name) ".func uses_" name "\n{\nst.global.u32 [" name "], 1;\nret;\n}\n"
#define AUX_VAR(name, type, count) \
  "// BEGIN GLOBAL VAR DEF: " name "\n.visible .global .align 8 ." type " " name "[" #count "];\n"
#define AUX_MAIN \
  "// BEGIN GLOBAL FUNCTION DEF: gomp_nvptx_main\n" \
  ".visible .func gomp_nvptx_main (.param .u64 %in_ar1, .param .u64 %in_ar2)\n{\nret;\n}\n"

/* What every library of ours has: its start.  */
#define AUX_START \
  AUX_PREAMBLE AUX_MAIN AUX_VAR ("gompx_plugin", "u32", 8) AUX_VAR ("__gomp_additional_icvs", "u32", 4) \
  AUX_VAR ("__gomp_indirect_addr_map", "u64", 1) AUX_WEAK ("gompx_run_tasks") AUX_DEF ("GOMP_teams4") \
  AUX_DEF ("omp_get_num_teams")
/* What only programs with tasks need.  */
#define AUX_TASK AUX_PREAMBLE AUX_DECL ("gomp_nvptx_main") AUX_DEF ("gompx_run_tasks") AUX_DEF ("GOMP_task")

static inline void
aux_library (const char *file, const char *const *texts, int n)
{
  FILE *f = fopen (file, "w");
  if (f == NULL)
    abort ();
  fputs ("!<arch>\n", f);
  for (int i = 0; i < n; i++)
    {
      fprintf (f, "m%d.o/%*s%-12d%-6d%-6d%-8o%-10zu`\n", i, i < 10 ? 11 : 10, "", 0, 0, 0, 0644,
	       strlen (texts[i]));
      fputs (texts[i], f);
      if (strlen (texts[i]) % 2 != 0)
	fputc ('\n', f);
    }
  fclose (f);
}

#endif /* AUX_SUBST_H */
