#!/bin/bash
# The protocol of plugin/slots-proto.h as a model: spin finds nothing wrong with it, and does find what is
# wrong with two broken ones.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$(dirname "$0")/aux-spin.sh"

check slots.pml 0 -DDEVICES=2 -DHOSTS=1
check slots.pml 0 -DDEVICES=1 -DHOSTS=2
check slots.pml 1 -DBROKEN_EARLY
check slots.pml 1 -DBROKEN_REUSE
exit $status
