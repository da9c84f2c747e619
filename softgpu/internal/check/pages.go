package check

// pages has the words of global memory that one launch accesses.
type pages struct {
	at   map[uint64]*page
	last *page
	key  uint64 // of last
}

const (
	pageBytes = 1 << 10
	pageWords = pageBytes / 4
)

type page [pageWords]word

// word returns the word that contains an address.
func (p *pages) word(addr uint64) *word {
	key := addr / pageBytes
	if p.last == nil || p.key != key {
		if p.at == nil {
			p.at = map[uint64]*page{}
		}
		if p.last = p.at[key]; p.last == nil {
			p.last = new(page)
			p.at[key] = p.last
		}
		p.key = key
	}
	return &p.last[addr/4%pageWords]
}
