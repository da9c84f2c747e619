#include "textflag.h"

// func swapFloatEnv(mode uint32) (was uint32)
TEXT ·swapFloatEnv(SB), NOSPLIT, $0-12
	STMXCSR was+8(FP)
	LDMXCSR mode+0(FP)
	RET
