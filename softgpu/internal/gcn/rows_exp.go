package gcn

import "sync"

// rowsEXP is the export instruction.
var rowsEXP = sync.OnceValue(func() []Row {
	return []Row{
		{Op: 0x00, Name: "exp", Form: &expForm, Do: nil, Chips: ToGfx908},
	}
})
