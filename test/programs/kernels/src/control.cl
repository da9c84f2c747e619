// Calls and jumps.

static int ackermann(int m, int n) __attribute__((noinline));
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }

kernel void recursion(global int *out) { out[get_global_id(0)] = ackermann(get_global_id(0) & 3 ? 2 : 1, get_global_id(0) >> 2 & 3); }

// Two functions that call each other, with arrays in every frame.
static uint odd(uint n, private uint *path) __attribute__((noinline));
static uint even(uint n, private uint *path) __attribute__((noinline));
static uint even(uint n, private uint *path) {
  uint mine[4] = {n, n + 1, n * n, 7};
  path[n & 7] += mine[n & 3];
  return n == 0 ? 1 : odd(n - 1, path) + mine[(n + 1) & 3];
}
static uint odd(uint n, private uint *path) {
  path[n & 7] ^= n;
  return n == 0 ? 0 : even(n - 1, path);
}

kernel void mutual_recursion(global uint *out) {
  uint path[8] = {0}, i = get_global_id(0), r = even(i & 15, path);
  for (int k = 0; k < 8; k++)
    r = r * 31 + path[k];
  out[i] = r;
}

// An interpreter: a switch with many cases, in a loop, on programs that differ.
kernel void interpreter(global const uchar *code, global int *out) {
  int stack[16], top = 0, acc = get_global_id(0);
  code += get_global_id(0) * 32;
  for (int pc = 0; pc < 32; pc++) {
    switch (code[pc] & 15) {
    case 0: acc += 3; break;
    case 1: acc *= 5; break;
    case 2: acc ^= 0x55; break;
    case 3: stack[top++ & 15] = acc; break;
    case 4: acc = top ? stack[--top & 15] : 1; break;
    case 5: acc = -acc; break;
    case 6: if (acc & 1) pc++; break;
    case 7: acc >>= 1; break;
    case 8: acc = ~acc; break;
    case 9: acc <<= 2; break;
    case 10: if (acc < 0) pc += 2; break;
    case 11: acc %= 1000; break;
    case 12: acc = acc * acc; break;
    case 13: acc -= pc; break;
    case 14: if (top) acc += stack[(top - 1) & 15]; break;
    default: if (acc == 77) pc = 40;
    }
  }
  out[get_global_id(0)] = acc;
}

// A loop that is entered in two places.
kernel void irreducible(global const uint *in, global uint *out) {
  uint x = in[get_global_id(0)], n = 0;
  if (x & 1)
    goto inside;
again:
  n += 2;
  if (n > 40)
    goto done;
inside:
  x = x * 3 + n;
  n++;
  if (x & 4)
    goto again;
  x >>= 1;
  if (n < 30)
    goto inside;
done:
  out[get_global_id(0)] = x ^ n << 24;
}

// Nested loops with break and continue at all levels.
kernel void nested_loops(global uint *out) {
  uint i = get_global_id(0), sum = 0;
  for (uint a = 0; a < (i & 7) + 1; a++) {
    for (uint b = a;; b++) {
      if (b > 12)
        break;
      if ((b ^ i) & 1)
        continue;
      uint c = b;
      do {
        sum += c;
        if (sum > 5000)
          goto out;
        c -= 2;
      } while (c < 12 && c != i % 5);
    }
    if (sum & 64)
      sum ^= a;
  }
out:
  out[i] = sum;
}

// Some work-items return early; all others meet at later barriers.
kernel void early_return(global const uint *in, global uint *out, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  uint x = in[i];
  if (x % 3 == 0) {
    out[i] = 0;
    return;
  }
  while (x & 1)
    x >>= 1;
  out[i] = x;
}

// Work-items that share what they find: a queue in workgroup memory.
kernel void queue(global const uint *in, global uint *out, global uint *count) {
  local uint q[256], n;
  uint i = get_local_id(0);
  if (i == 0)
    n = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[i] % 5 == 0)
    q[atomic_inc(&n)] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint k = 0; k < n; k++)
    sum += q[k] * (q[k] < in[i]);
  out[i] = sum;
  if (i == 0)
    *count = n;
}
