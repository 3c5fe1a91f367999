/* cpu-common.h -- questions about processes and modules that both sides of a cpu device ask
   (cpu-common.c).  */

#ifndef GOMP_CPU_COMMON_H
#define GOMP_CPU_COMMON_H 1

#include <stdint.h>

struct dl_phdr_info;

/* For functions that run before main: GOMP_STARTUP of libgomp.h.  */
#define GOMP_CPU_STARTUP __attribute__ ((section (".text.startup")))

/* Process PID's start in clock ticks since boot, which together with the number names a process
   for good; 0 when /proc does not tell.  *STATE (may be NULL) is the letter of its state.  */
uint64_t gomp_cpu_process_start (int pid, char *state);
/* Build-id of the module that contains this code, zeros when it has none.  */
void gomp_cpu_build_id (uint8_t id[static 32]);

/* The value of NAME in the environment ENV, or NULL.  */
const char *gomp_cpu_variable (char **env, const char *name);

/* Of a module that dl_iterate_phdr shows: its build-id, zeros when it has none; the lowest
   address and the first behind the highest.  */
void gomp_cpu_module_id (const struct dl_phdr_info *info, uint8_t id[static 32]);
void gomp_cpu_module_extent (const struct dl_phdr_info *info, uint64_t *start, uint64_t *end);
/* The file that is mapped at ADDR.  Both 0: there is none, or /proc does not tell.  */
void gomp_cpu_mapped_file (uint64_t addr, uint64_t *device, uint64_t *inode);

/* How the calling thread rounds, and so on: MXCSR (x86), FPCR (arm).  */
static inline uint32_t
gomp_cpu_fp_control (void)
{
#if defined __x86_64__
  return __builtin_ia32_stmxcsr ();
#elif defined __aarch64__
  return __builtin_aarch64_get_fpcr ();
#endif
}

#endif /* GOMP_CPU_COMMON_H */
