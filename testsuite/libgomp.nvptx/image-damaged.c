/* Images that contradict themselves or the host's tables are told and left out: their regions run on the
   host (they come when the device is open already), and nothing is read beyond what they have.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-OUTPUT: cannot be loaded, its regions run on the host: it cannot be used: its version is 3.2
   TEST-OUTPUT: it has 1 functions, the host's table 2
   TEST-OUTPUT: it has 3 variables, the host's table 2
   TEST-OUTPUT: it has 1 indirect functions, the host's table 0
   TEST-OUTPUT: it has no code
   TEST-OUTPUT: object 1 has no end
   TEST-OUTPUT: object 0 ends before its size says
   TEST-OUTPUT: object 1 is empty
   TEST-OUTPUT: function 0 has no name
   TEST-OUTPUT: the name of variable [01], number, has the character 0x20 in it
   TEST-OUTPUT: its table of functions is not aligned
   TEST-OUTPUT: variable 0 is in a `link' clause on one side only
   TEST-OUTPUT: GCC 12 has put its variables into a wrong order  */

#define _GNU_SOURCE
#define AUX_IMAGE_MANUAL
#include "aux-image.h"
#include "aux-driver.h"

#include <omp.h>

int number = 7;
#pragma omp declare target to (number)
int far[3];
#pragma omp declare target link (far)

static struct aux_image images[20], *image = images;
static char other[300];

/* A new image, whole.  */
static struct aux_image *
make (unsigned version)
{
  aux_image_make (++image, version, 512);
  return image;
}

/* IMAGE is refused.  */
static void
refused (void)
{
  int on_host = 0;
  aux_image_register (image);
  #pragma omp target map(tofrom: on_host)
  on_host = omp_is_initial_device ();
  aux_image_unregister (image);
  CHECK (on_host);
}

int
main (void)
{
  int x = 1;

  omp_target_free (omp_target_alloc (8, 0), 0);	/* opens the device */
  make (0x30002);
  refused ();
  make (0x30001)->data.a.nfns--;
  refused ();
  make (0x20001)->data.a.nvars++;
  refused ();
  make (0x30001)->data.a.nind++;
  refused ();
  make (0x20001)->data.a.nobjs = 0;
  refused ();
  make (0x20001)->objs[1].size--;
  refused ();
  make (0x20001);
  snprintf (other, sizeof (other), "%.100s", image->objs[0].code);
  free ((char *) image->objs[0].code);
  image->objs[0] = (struct aux_object) { other, 200 };
  refused ();
  make (0x20001)->objs[1].size = 0;
  refused ();
  make (0x20001);
  free ((char *) image->fns[0].name);
  image->fns[0].name = "";
  refused ();
  make (0x20001);
  int plain = strstr (image->vars[0], "$linkptr") != NULL;
  free ((char *) image->vars[plain]);
  image->vars[plain] = "number x";
  refused ();
  make (0x20001);
  image->data.a.fns = (void *) ((char *) image->data.a.fns + 1);
  refused ();
  make (0x20001);
  const char *first = image->vars[0];
  image->vars[0] = image->vars[1];
  image->vars[1] = first;
  refused ();
  make (0x10001);
  first = image->vars[0];
  image->vars[0] = image->vars[1];
  image->vars[1] = first;
  refused ();
  CHECK (driver_calls ("cuLinkCreate_v2") == 0);

  /* And a good one.  */
  make (0x20001);
  aux_image_register (image);
  #pragma omp target map(tofrom: x)
  x++;
  CHECK (x == 2 && driver_calls ("cuLinkComplete") == 1);
  return 0;
}
