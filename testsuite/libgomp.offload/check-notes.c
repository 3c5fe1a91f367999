/* What may be meant is a note: data for the next step that the host prepares while the device has the
   old one, results that the host changes after it got them, changes of the device that are
   dropped.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK=map,notes
   TEST-OUTPUT: ^libgomp: check \(note\): stale read: the device used an old value of `next' \(400 bytes\)
   TEST-OUTPUT: ^  the new value was copied later, by target update at main
   TEST-OUTPUT: ^libgomp: check \(note\): stale read: the device used an old value of `result' \(400 bytes\)
   TEST-OUTPUT: ^  the host's change was overwritten later, by target update at main
   TEST-OUTPUT: ^libgomp: check \(note\): lost change: the device has changed bytes 0 to 396 of `scratch' \(400 bytes\)
   TEST-OUTPUT: ^  its mapping ended without a copy to the host, by target at main
   TEST-OUTPUT: ^libgomp: check: 0 findings, 3 notes
   TEST-NO-OUTPUT: ^libgomp: check: (?!global variables that are not mapped)[a-z]  */

int next[100], result[100], scratch[100];

int
main (void)
{
  int sum = 0;
#pragma omp target enter data map (to: next, result)
  for (int step = 1; step < 3; step++)
    {
      for (int i = 0; i < 100; i++)
	next[i] = step;
#pragma omp target map (tofrom: sum)
      for (int i = 0; i < 100; i++)
	sum += next[i];
#pragma omp target update to (next)
    }
  for (int step = 1; step < 3; step++)
    {
#pragma omp target
      for (int i = 0; i < 100; i++)
	result[i] += step;
#pragma omp target update from (result)
      for (int i = 0; i < 100; i++)
	result[i] = -result[i];
    }
#pragma omp target exit data map (release: next, result)

#pragma omp target map (to: scratch) map (tofrom: sum)
  for (int i = 0; i < 100; i++)
    {
      scratch[i] = i + 1;
      sum += scratch[99 - i];
    }
  return sum < 100;
}
