// Small arrays of the work-item's own, which the compiler keeps in registers and
// indexes at run time: reads that it makes early may be out of range.

// Shell sort of 16 numbers.
kernel void private_shell_sort(global const int *in, global int *out) {
  int a[16];
  uint at = get_global_id(0) * 16;
  for (int i = 0; i < 16; i++)
    a[i] = in[at + i];
  for (int gap = 7; gap > 0; gap = gap / 2)
    for (int i = gap; i < 16; i++) {
      int x = a[i], j = i;
      while (j >= gap && a[j - gap] > x) {
        a[j] = a[j - gap];
        j -= gap;
      }
      a[j] = x;
    }
  for (int i = 0; i < 16; i++)
    out[at + i] = a[i];
}

// Heap sort: the children of most nodes do not exist.
kernel void private_heap_sort(global const int *in, global int *out) {
  int a[16];
  uint at = get_global_id(0) * 16;
  for (int i = 0; i < 16; i++)
    a[i] = in[at + i];
  for (int first = 7, n = 16; n > 1;) {
    int root;
    if (first >= 0)
      root = first--;
    else {
      int x = a[--n];
      a[n] = a[0];
      a[0] = x;
      root = 0;
    }
    for (;;) {
      int child = 2 * root + 1;
      if (child >= n)
        break;
      child += child + 1 < n && a[child + 1] > a[child] ? 1 : 0;
      if (a[root] >= a[child])
        break;
      int x = a[root];
      a[root] = a[child];
      a[child] = x;
      root = child;
    }
  }
  for (int i = 0; i < 16; i++)
    out[at + i] = a[i];
}

// The first of 12 numbers, in order, that is not below the key; 12 if there is none.
kernel void private_search(global const int *table, global const int *keys, global int *out) {
  int a[12];
  for (int i = 0; i < 12; i++)
    a[i] = table[i];
  int key = keys[get_global_id(0)], low = -1, high = 12;
  while (low + 1 < high) {
    int middle = (low + high) / 2;
    if (a[middle] < key)
      low = middle;
    else
      high = middle;
  }
  bool found = high < 12 && a[high] == key;
  out[get_global_id(0)] = found ? high : -high - 1;
}

// Reads and writes at any index.
kernel void private_guarded(global const int *in, global const int *places, global int *out, int n) {
  int a[16];
  for (int i = 0; i < 16; i++)
    a[i] = in[i];
  for (int i = 0; i < n; i++) {
    int from = places[2 * i], to = places[2 * i + 1];
    int x = from >= 0 && from < 16 ? a[from] : -1;
    if (to >= 0 && to < 16)
      a[to] = x + get_global_id(0);
  }
  for (int i = 0; i < 16; i++)
    out[get_global_id(0) * 16 + i] = a[i];
}
