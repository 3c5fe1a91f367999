/* Part of hot-overwritten.c and hot-overwritten-used.c.  */
#define VERSION 3
#include "hot-overwritten-lib.c"
