package gcn

// rowsEXP is the export instruction.
var rowsEXP = []Row{
	{Op: 0x00, Name: "exp", Form: &expForm, Do: nil, Chips: ToGfx908},
}
