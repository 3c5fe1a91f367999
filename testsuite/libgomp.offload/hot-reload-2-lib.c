/* Part of hot-reload.c.  */
#define VERSION 2
#include "hot-reload-lib.c"
