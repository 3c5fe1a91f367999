/* A function that a region calls on the host may wait for what the program does behind another region, on an AMD GPU.
   TEST-MODES: gcnours
   TEST-OPTIONS: -I@top_srcdir@/include
   MINGCC: 14  */

#define ROUNDS 4
#include "../libgomp.offload/reverse-waits.c"
