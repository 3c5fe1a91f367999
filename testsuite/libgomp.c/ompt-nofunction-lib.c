/* Part of ompt-libraries.c and others: see there and in ompt-library-lib.c.  */

#define TOOL_NO_FUNCTION 1
#include "ompt-library-lib.c"
