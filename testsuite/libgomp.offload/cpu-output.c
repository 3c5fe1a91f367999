/* What regions print is there when they are over, on the program's stdout and stderr, through
   stdio as well as directly; standard input is empty.
   TEST-MODES: cpu
EXPECT DEV:
0 host
1 device
2 host
3 device directly
4 end of file
5 host
END
*/

#include <stdio.h>
#include <unistd.h>

static void
host (int n)
{
  printf ("%d host\n", n);
  fflush (stdout);
}

int
main (void)
{
  host (0);
#pragma omp target
  printf ("%d device\n", 1);
  host (2);
#pragma omp target
  {
    static const char text[] = "3 device directly\n";
    int n = write (1, text, sizeof (text) - 1);
    if (n < 0)
      _exit (1);
  }
#pragma omp target
  {
    char c;
    printf (read (0, &c, 1) == 0 ? "4 end of file\n" : "4 there is input\n");
  }
  host (5);
  return 0;
}
