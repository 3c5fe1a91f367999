/* Part of hot-reload.c.  */
#define VERSION 3
#include "hot-reload-lib.c"
