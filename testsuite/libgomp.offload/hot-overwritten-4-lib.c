/* Part of hot-overwritten.c and hot-overwritten-used.c.  */
#define VERSION 4
#include "hot-overwritten-lib.c"
