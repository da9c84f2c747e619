package trace

import "sync/atomic"

// Switch holds the process's recorder while it records. A nil Switch never has one.
type Switch struct{ recorder atomic.Pointer[Recorder] }

// On returns the recorder; nil if nothing is recorded.
func (s *Switch) On() *Recorder {
	if s == nil {
		return nil
	}
	return s.recorder.Load()
}

// Set makes r the recorder, nil: none.
func (s *Switch) Set(r *Recorder) { s.recorder.Store(r) }
