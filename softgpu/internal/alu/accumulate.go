package alu

// LshlAddU64 shifts left by 0 to 7, the low three bits of b, and adds.
func LshlAddU64(dl, dh, al, ah, bl, _, cl, ch *Lanes) {
	for i := range dl {
		r := Join(al[i], ah[i])<<(bl[i]&7) + Join(cl[i], ch[i])
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}
