/* libgomp.h -- what every part of the library uses: errors, memory, visibility.

   Names: gomp_* is internal (the name space belongs to libgomp, also in the static
   library); GOMP_* and omp_* functions are the ABI.  Headers of the parts:
     host/icv.h      internal control variables, the table of environment variables
     host/thread.h   threads, teams, implicit tasks, work shares
     target.h        devices, images, queues, mapping
     plugin/plugin.h device plugins  */

#ifndef GOMP_LIBGOMP_H
#define GOMP_LIBGOMP_H 1

#include "config.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "atomics.h"
#include "locks.h"

#define gomp_likely(x) __builtin_expect (!!(x), 1)
#define gomp_unlikely(x) __builtin_expect (!!(x), 0)
#define GOMP_ARRAY_SIZE(a) (sizeof (a) / sizeof ((a)[0]))

/* Everything is hidden but what carries this.  libgomp.map then gives the versions.  */
#define GOMP_EXPORT __attribute__ ((visibility ("default")))
/* The compiler's option is about definitions.  With this in its declaration a variable of another file is
   read at once; without it, its address is made first.  */
#define GOMP_HIDDEN __attribute__ ((visibility ("hidden")))

/* Where things are, so that a process touches few pages, each of which costs it a fault.  Large variables
   without an initial value of which most programs touch nothing are behind all others (configure.ac
   has the sections sorted by name).  What each process runs before main, or when its first region
   starts, is in one place.  plugin/ writes both out.  */
#define GOMP_RARE __attribute__ ((section (".bss.rare")))
#define GOMP_STARTUP __attribute__ ((section (".text.startup")))
/* Every region: behind those.  */
#define GOMP_HOT __attribute__ ((hot))
/* Short entry points that programs call again and again: each begins a line, so that the processor fetches
   all of it at once.  One that lies across two costs a cycle or two more.  */
#define GOMP_SHORT __attribute__ ((aligned (GOMP_CACHE_LINE)))

/* Functions that stay what they are: not merged with others that do the same; not changed by what their callers are.
   Compilers that do not know how to do that need not be told.  */
#if __has_attribute (no_icf)
# define GOMP_NO_ICF __attribute__ ((no_icf))
#else
# define GOMP_NO_ICF
#endif
#if __has_attribute (noipa)
# define GOMP_NO_IPA __attribute__ ((noipa))
#else
# define GOMP_NO_IPA __attribute__ ((noinline))
#endif

/* The Fortran form of an entry point is the C one with a trailing underscore.  */

/* Two versions of a symbol in the shared library (host/lock.c): before a declaration of the function that
   has the internal name.  A compiler without the attribute only warns of it and loses the symbol, so there
   the assembler is told.  */
#ifndef PIC
# define GOMP_SYMVER(internal, name)
#elif __has_attribute (symver)
# define GOMP_SYMVER(internal, name) __attribute__ ((symver (name)))
#else
# define GOMP_SYMVER(internal, name) __asm__ (".symver " internal ", " name);
#endif

typedef unsigned long long gomp_ull;
typedef void (*gomp_fn) (void *);

/* error.c.  Every message is one write to stderr: a newline, "libgomp: ", text, a newline
   (abi/host section 7.3).  fatal then ends the process by exit (1).  */
void gomp_error (const char *fmt, ...) __attribute__ ((format (printf, 1, 2), cold));
void gomp_verror (const char *fmt, va_list) __attribute__ ((format (printf, 1, 0), cold));
void gomp_fatal (const char *fmt, ...) __attribute__ ((format (printf, 1, 2), noreturn, cold));
/* The same where the library is at fault, not the program: tells where to report it.  */
void gomp_internal_fatal (const char *fmt, ...)
  __attribute__ ((format (printf, 1, 2), noreturn, cold));
/* fatal was called: the process ends.  Relaxed: a hint for exit handlers.  */
extern GOMP_HIDDEN _Atomic (bool) gomp_xending;
#define gomp_ending_by_error gomp_load_relaxed (&gomp_xending)
/* Text that is complete already: all of it, with as few writes as the system allows.  */
void gomp_write_stderr (const char *text, size_t n);
/* Messages are not printed: a worker of a cpu device reads an environment of which the program has
   said everything already.  Set by the constructor only.  */
extern GOMP_HIDDEN bool gomp_errors_silent;
/* Text for developers, when GOMP_DEBUG >= LEVEL.  */
void gomp_debug_text (int level, const char *fmt, ...) __attribute__ ((format (printf, 2, 3), cold));
extern GOMP_HIDDEN int gomp_debug_level;	/* GOMP_DEBUG; 0 in set-user-ID programs */
#define gomp_debug(level, ...)						\
  do									\
    {									\
      if (gomp_unlikely (gomp_debug_level >= (level)))			\
	gomp_debug_text (level, __VA_ARGS__);				\
    }									\
  while (0)

/* memory.c.  Host memory for the runtime's own use: never NULL, fatal when there is none
   ("Out of memory allocating %lu bytes").  The array forms check the product.  */
void *gomp_malloc (size_t) __attribute__ ((malloc, returns_nonnull, alloc_size (1)));
void *gomp_calloc (size_t n, size_t size)
  __attribute__ ((malloc, returns_nonnull, alloc_size (1, 2)));
void *gomp_realloc_array (void *, size_t n, size_t size) __attribute__ ((returns_nonnull));
/* ALIGN is a power of two; free with free ().  */
void *gomp_aligned_alloc (size_t align, size_t size)
  __attribute__ ((malloc, returns_nonnull, alloc_size (2)));
char *gomp_strdup (const char *) __attribute__ ((malloc, returns_nonnull));
/* Does the calling thread end the program, in exit, because it got none?  It may hold any lock of ours then.  */
bool gomp_ends_without_memory (void);

/* init.c.  The constructor: before those of the program, in a static one, too.  */
void gomp_initialize_library (int argc, char **argv, char **envp)
  __attribute__ ((constructor (101)));

/* wtime.c.  CLOCK_MONOTONIC.  */
uint64_t gomp_now_ns (void);

/* env.c.  The environment as it was when the library was loaded.  FILE_NAME: the value
   names a file, NULL in a set-user-ID program (as are variables whose row in env-table.c
   says so).  */
const char *gomp_getenv (const char *name, bool file_name);

#endif /* GOMP_LIBGOMP_H */
