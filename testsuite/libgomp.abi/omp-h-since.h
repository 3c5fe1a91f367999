/* omp-h-since.h -- SINCE_n (text) is the text where the header under test has what GCC n
   added: always with our header, from that compiler on with COMPILER_HEADER.  */

/* GCC 16 marks names as deprecated that are still there.  */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#ifdef COMPILER_HEADER
# include <omp.h>
# define HAVE(n) (__GNUC__ >= (n))
#else
# include "../../include/omp.h"
# define HAVE(n) 1
#endif

#define SINCE_12(...) __VA_ARGS__
#if HAVE (13)
# define SINCE_13(...) __VA_ARGS__
#else
# define SINCE_13(...)
#endif
#if HAVE (15)
# define SINCE_15(...) __VA_ARGS__
#else
# define SINCE_15(...)
#endif
#if HAVE (16)
# define SINCE_16(...) __VA_ARGS__
#else
# define SINCE_16(...)
#endif
