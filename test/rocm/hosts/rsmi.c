/* Lists GPUs as ROCm SMI does. */
#include <stdint.h>
#include <stdio.h>

int rsmi_init(uint64_t flags);
int rsmi_num_monitor_devices(uint32_t *count);
int rsmi_dev_id_get(uint32_t device, uint16_t *id);
int rsmi_dev_pci_id_get(uint32_t device, uint64_t *address);
int rsmi_dev_memory_total_get(uint32_t device, int kind, uint64_t *bytes);

int main(void) {
  uint32_t count;
  if (rsmi_init(0) != 0 || rsmi_num_monitor_devices(&count) != 0)
    return 1;
  for (uint32_t i = 0; i < count; i++) {
    uint16_t id;
    uint64_t address, bytes;
    if (rsmi_dev_id_get(i, &id) != 0 || rsmi_dev_pci_id_get(i, &address) != 0 ||
        rsmi_dev_memory_total_get(i, 0, &bytes) != 0)
      return 1;
    printf("%#x at %#lx, %lu bytes\n", id, address, bytes);
  }
}
