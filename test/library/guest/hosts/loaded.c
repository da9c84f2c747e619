/* Only loads: what the process has afterwards. */
#include "host.h"
#include "inventory.h"

int main(int argc, char **argv) {
  load(argc, argv);
  print_threads();
  print_descriptors();
  print_limits();
  print_dispositions();
  print_thread_state("main");
}
