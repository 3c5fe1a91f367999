/* A device address that is used after its mapping has ended: the message tells which mapping that was,
   and where it ended.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map
   TEST-EXIT: 1
   TEST-OUTPUT: device 0 \(cpu worker\) is lost
   TEST-OUTPUT: ^  it is device memory: byte 8 of `table' \(4000 bytes\), item [0-9] of target enter data at main
   TEST-OUTPUT: ^  whose mapping has ended by target exit data at main
   TEST-OUTPUT: ^  remedy: keep it mapped as long as device pointers to it are used  */

int table[1000];

int
main (void)
{
  int *device, seen;
#pragma omp target enter data map (to: table)
#pragma omp target data use_device_addr (table)
  device = table;
#pragma omp target exit data map (release: table)
  /* Its memory is not used again at once.  */
#pragma omp target enter data map (to: table)
#pragma omp target is_device_ptr (device) map (from: seen)
  seen = device[2];
  return 0;
}
