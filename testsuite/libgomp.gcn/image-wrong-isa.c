/* Code for another processor, or for one with another setting: the message says which.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-GPU: fallback
   TEST-ENV: GCN_SIM_ISA=gfx90a:sramecc+:xnack-
   TEST-OUTPUT: its code is for gfx908, and this device is a gfx90a: -foffload-options=amdgcn-amdhsa=-march=gfx90a
   TEST-OUTPUT: its code is for gfx9-generic, and this device is a gfx90a
   TEST-OUTPUT: its code is for gfx90a with xnack turned on, which this device has turned off
   TEST-OUTPUT: its code is for gfx90a with sramecc turned off, which this device has turned on  */

#define _GNU_SOURCE
#include "aux-register.h"

static struct aux_image images[10], *image = images;

static void
refused (unsigned flags, unsigned abi)
{
  int host = 0;
  aux_copy (++image);
  aux_header (image)->e_flags = flags;
  aux_header (image)->e_ident[EI_ABIVERSION] = abi;
  aux_register (image);
#pragma omp target map (tofrom: host)
  host = omp_is_initial_device ();
  CHECK (host);
  aux_unregister (image);
}

int
main (void)
{
  omp_target_free (omp_target_alloc (8, 0), 0);	/* opens the device */
  refused (0x630, 2);
  refused (0x1000151, 4);
  refused (0x73f, 2);
  refused (0x93f, 2);
  return failures != 0;
}
