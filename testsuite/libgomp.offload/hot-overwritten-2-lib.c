/* Part of hot-overwritten.c and hot-overwritten-used.c.  */
#define VERSION 2
#define LENGTH 30000
#include "hot-overwritten-lib.c"
