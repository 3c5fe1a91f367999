#!/bin/bash
# The barrier of two threads (config/linux/bar.h) as a model: spin finds nothing wrong with it, and does find
# what is wrong with four broken ones.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$(dirname "$0")/aux-spin.sh"

check barrier.pml 0
check barrier.pml 1 -DBROKEN_ONE_BIT
check barrier.pml 1 -DBROKEN_CLEAR
check barrier.pml 1 -DBROKEN_MORE
check barrier.pml 1 -DBROKEN_SILENT
exit $status
