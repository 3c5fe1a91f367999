/* A shared object is closed while its variables are mapped and while data regions are open over them:
   everything of it leaves the device, the ends of the regions have nothing to do, and the object
   can be opened and mapped again.
   TEST-SHARED: dlclose-mapped-lib.c -fopenmp
   TEST-MODES: cpu
   TEST-OPTIONS: -ldl */
#include "aux-direct.h"

#include <dlfcn.h>

int
main (void)
{
  int x = 0;

  need_device ();
  for (int round = 0; round < 3; round++)
    {
      void *lib = dlopen ("./dlclose-mapped-lib.so", RTLD_NOW | RTLD_LOCAL);
      if (lib == NULL)
	return printf ("%s\n", dlerror ()), 1;
      int *linked = dlsym (lib, "linked"), *plain = dlsym (lib, "plain");
      int *unlisted = dlsym (lib, "unlisted");
      int (*read_linked) (int) = (int (*) (int)) dlsym (lib, "read_linked");

      linked[9] = 90 + round;
      ENTER (ITEM (&linked[8], 16, TO), ITEM (&x, sizeof (x), TO));
      ENTER (ITEM (&linked[0], 16, TO));
      CHECK_EQUAL (read_linked (9), 90 + round);
      CHECK (IS_PRESENT (plain) && IS_PRESENT (linked) && !IS_PRESENT (&linked[5]));
      plain[1] = 20;
      UPDATE (ITEM (plain, 16, TO));
      DATA (ITEM (plain, 16, ALWAYS_TOFROM), ITEM (&linked[8], 4, ALWAYS_TOFROM));
      DATA (ITEM (&linked[12], 8, TOFROM), ITEM (&x, sizeof (x), ALWAYS_TOFROM));
      int *linked_there = linked, *plain_there = plain, *unlisted_there = unlisted;
      dlclose (lib);
      if (dlopen ("./dlclose-mapped-lib.so", RTLD_NOW | RTLD_NOLOAD) != NULL)
	return 77;		/* the C library has kept it */
      for (int i = 0; i < 16; i++)
	CHECK (!IS_PRESENT (&linked_there[i]));
      CHECK (!IS_PRESENT (plain_there) && !IS_PRESENT (unlisted_there));
      x = 5;
      END_DATA ();
      END_DATA ();
      CHECK_EQUAL (x, 0);
      CHECK (IS_PRESENT (&x));
      EXIT (ITEM (&x, sizeof (x), RELEASE));
      CHECK (!IS_PRESENT (&x));
    }
  return result ();
}
