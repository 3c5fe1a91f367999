/* A region goes wrong while a call of another thread of it is served: the function runs to its end, and the program
   ends with one message.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 .*is lost
   TEST-OUTPUT: ^the function has ended$
   TEST-NO-OUTPUT: not reached  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#pragma omp requires reverse_offload

int
main (void)
{
  /* A flag of the host which the thread that goes wrong asks for.  */
  static int served;
  uintptr_t flag = (uintptr_t) &served;

#pragma omp target firstprivate (flag)
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 0)
    {
#pragma omp target device (ancestor: 1) firstprivate (flag)
      {
	__atomic_store_n ((int *) flag, 1, __ATOMIC_RELEASE);
	usleep (300000);
	printf ("the function has ended\n");
	fflush (stdout);
      }
    }
  else
    {
      int now = 0;
      while (!now)
	{
#pragma omp target device (ancestor: 1) firstprivate (flag) map (from: now)
	  now = __atomic_load_n ((int *) flag, __ATOMIC_ACQUIRE);
	}
      *(volatile int *) 8 = now;
    }
  printf ("not reached\n");
  return 0;
}
