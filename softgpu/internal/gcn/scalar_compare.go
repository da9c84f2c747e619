package gcn

func eq32(a, b uint32) bool  { return a == b }
func ne32(a, b uint32) bool  { return a != b }
func gtI32(a, b uint32) bool { return int32(a) > int32(b) }
func geI32(a, b uint32) bool { return int32(a) >= int32(b) }
func ltI32(a, b uint32) bool { return int32(a) < int32(b) }
func leI32(a, b uint32) bool { return int32(a) <= int32(b) }
func gtU32(a, b uint32) bool { return a > b }
func geU32(a, b uint32) bool { return a >= b }
func ltU32(a, b uint32) bool { return a < b }
func leU32(a, b uint32) bool { return a <= b }
func ne64(a, b uint64) bool  { return a != b }

func bit0In32(a, b uint32) bool { return a>>(b&31)&1 == 0 }
func bit1In32(a, b uint32) bool { return a>>(b&31)&1 != 0 }
func bit0In64(a, b uint64) bool { return a>>(b&63)&1 == 0 }
func bit1In64(a, b uint64) bool { return a>>(b&63)&1 != 0 }

func sMovk(_ *Wave, _, k uint32) uint32  { return k }
func sMulk(_ *Wave, d, k uint32) uint32  { return d * k }
func sCmovk(w *Wave, d, k uint32) uint32 { return sCselect32(w, k, d) }
