/* What a tool hears in callbacks of the old form.
   TEST-MODES: cpu
   TEST-OPTIONS: -rdynamic  */

#define TOOL_OLD 1
#include "ompt-target.c"
