package gcn

func (d *decoder) smem11()   { d.fail("todo") }
func (d *decoder) flat11()   { d.fail("todo") }
func (d *decoder) buffer11() { d.fail("todo") }
func (d *decoder) vopd()     { d.fail("todo") }
func (d *decoder) dpp8()     { d.fail("todo") }
func (p *printer) smem11()   {}
func (p *printer) flat11()   {}
func (p *printer) buffer11() {}
func (p *printer) vopd()     {}
func gfx11Rows() []rowSet    { return nil }
