/* Part of hot-reload.c.  */
#define VERSION 4
#include "hot-reload-lib.c"
