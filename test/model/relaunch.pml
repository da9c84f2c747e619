/* The slots by which C launches recorded graphs again (internal/fastpath/relaunch.c): two
 * threads launch, two others each own a graph, which they offer, take back, change and
 * destroy. Both graphs' streams share one slot. No graph is launched by two threads at a time,
 * or while its owner changes it or after it is gone.
 *
 * Each atomic operation on the slot is a step. FAULT leaves a rule out. */

#ifndef FAULT
#define FAULT 0
#endif
#ifndef TURNS
#define TURNS 2 /* of each thread */
#endif

#define open 1
#define entered 2
#define none 2

byte state, key = none, exec = none; /* the slot; exec is the graph that a launch gets */
bool changing;                       /* its mutex */
bool exists[2], launching[2], changed[2];

inline lock() { atomic { !changing -> changing = true } }
inline unlock() { changing = false }

/* relaunch and launch_slot. */
proctype launcher() {
  byte turns = TURNS, k, g;
  do
  :: turns == 0 -> break
  :: turns > 0 ->
     turns--;
     if :: k = 0 :: k = 1 fi;
     if
     :: key != k
     :: else ->
        if
#if FAULT == 1 /* enters though another thread is within */
        :: atomic { state & open -> state = open | entered }
        :: atomic { !(state & open) -> skip; goto next }
#else
        :: atomic { state == open -> state = open | entered }
        :: atomic { state != open -> skip; goto next }
#endif
        fi;
#if FAULT != 2 /* does not look again inside */
        if
        :: key != k -> goto leave
        :: else
        fi;
#endif
        g = exec;
        atomic { assert(g == k && exists[g] && !launching[g] && !changed[g]); launching[g] = true }
        launching[g] = false;
leave:  state = state & ~entered
     fi;
next: atomic { k = 0; g = 0 }
  od
}

/* relaunch_begin. */
inline offer(me) {
  lock();
  if
#if FAULT == 3 /* takes the slot from a graph that is being launched */
  :: atomic { true -> state = 0 }
#else
  :: atomic { state == open -> state = 0 }
  :: state == 0
  :: atomic { state != open && state != 0 -> skip; goto busy }
#endif
  fi;
  key = me;
  exec = me;
  state = open;
busy:
  unlock()
}

/* relaunch_end and close_slot. */
inline take_back(me) {
  lock();
  if
  :: key == me ->
     state = state & ~open;
#if FAULT != 4 /* does not wait until no thread is within */
     state == 0
#endif
  :: else
  fi;
  unlock()
}

/* Who holds a graph's lock: package mgpu's regionGraph. */
proctype owner(byte me) {
  byte turns = TURNS;
  do
  :: turns == 0 -> break
  :: turns > 0 ->
     turns--;
     exists[me] = true;
     offer(me);
     take_back(me);
     changed[me] = true;
     changed[me] = false;
     exists[me] = false
  od
}

init { atomic { run launcher(); run launcher(); run owner(0); run owner(1) } }
