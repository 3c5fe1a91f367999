/* unimplemented.c -- entry points that programs may be linked against but that are not
   implemented yet.  Each of them ends the program with one line that names it: they exist
   because a program must find every symbol of its libgomp when it starts.  At present all
   are implemented.  */

#include "libgomp.h"

/* Prototypes do not matter here: whatever the arguments are, the call does not return.  */
#define UNIMPLEMENTED(name)						\
  GOMP_EXPORT void name (void) __attribute__ ((noreturn, cold));	\
  void name (void) { gomp_unimplemented (#name); }
