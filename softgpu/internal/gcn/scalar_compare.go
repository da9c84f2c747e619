package gcn

func sMovk(_ *Wave, _, k uint32) uint32  { return k }
func sMulk(_ *Wave, d, k uint32) uint32  { return d * k }
func sCmovk(w *Wave, d, k uint32) uint32 { return sCselect32(w, k, d) }
