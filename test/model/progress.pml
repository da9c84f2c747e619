/* The progress events of streampool's submission_progress.go: threads submit to one stream and record
 * its event, another one asks that event how much is done.
 *
 * Each read or change of a shared word is a step of its own, as is each driver call's effect; what
 * the code does by compare-and-swap is one step. Names are those of the code. FAULT leaves a rule
 * out; model_test.go expects that to be found. */

#ifndef FAULT
#define FAULT 0
#endif
#ifndef SUBMISSIONS
#define SUBMISSIONS 2 /* of each thread */
#endif
#define MOST 7

/* The entry: its word's number and calls in progress, and its progress. */
byte latest, calls, progress;

/* The driver: pieces of work that the stream was given, and those that are done, in order; the piece
 * of each submission by its number, 0: the driver does not have it; and the last piece before the
 * event's latest record. */
byte given, done, event;
byte work[MOST];

/* Entry.RecordProgress and stream_record_progress. */
inline record_progress() {
  atomic { number = latest; others = calls - 1 }
#if FAULT == 1 /* notes before the record */
  note_progress();
#endif
  event = given;
#if FAULT != 1
  note_progress()
#endif
}

/* Entry.noteProgress and entry_note_progress. */
inline note_progress() {
  atomic {
    if
#if FAULT == 2 /* notes though other calls are in progress */
    :: progress < number -> progress = number
#else
    :: others == 0 && progress < number -> progress = number
#endif
    :: else
    fi
  }
}

active [2] proctype submitter() {
  byte left = SUBMISSIONS, number = 0, others = 0, own = 0;
  do
  :: left == 0 -> break
  :: left > 0 ->
     atomic { latest++; calls++; own = latest; left-- }
     atomic { given++; work[own] = given }
     record_progress();
     atomic { calls--; number = 0; others = 0; own = 0 }
  od
}

active proctype device() {
end:
  do
  :: atomic { done < given -> done++ }
  od
}

active proctype query() {
  byte covers, i, turns = 2;
  bool reached;
  do
  :: turns == 0 -> break
  :: turns > 0 ->
     turns--;
#if FAULT == 3 /* reads the progress after the event is asked */
     reached = event <= done;
     covers = progress;
#else
     covers = progress;
     reached = event <= done;
#endif
     atomic {
       if
       :: reached ->
          for (i : 1 .. covers) {
            assert(work[i] != 0 && work[i] <= done)
          }
          i = 0
       :: else
       fi;
       covers = 0; reached = false
     }
  od
}
