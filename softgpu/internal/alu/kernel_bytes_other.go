//go:build !amd64

package alu

// Kernels of instructions, named like them.
var (
	PkMinI16       Kernel2 = portablePkMinI16
	PkMaxI16       Kernel2 = portablePkMaxI16
	PkMad16        Kernel3 = portablePkMad16
	Dot2I32        Kernel3 = portableDot2I32
	Dot2U32        Kernel3 = portableDot2U32
	Dot4I32        Kernel3 = portableDot4I32
	Dot4U32        Kernel3 = portableDot4U32
	Dot8I32        Kernel3 = portableDot8I32
	Dot8U32        Kernel3 = portableDot8U32
	SadU8          Kernel3 = portableSadU8
	SadHiU8        Kernel3 = portableSadHiU8
	MsadU8         Kernel3 = portableMsadU8
	SadU16         Kernel3 = portableSadU16
	LerpU8         Kernel3 = portableLerpU8
	CvtPkF16F32    Kernel2 = portableCvtPkF16F32
	CvtPkrtzF16F32 Kernel2 = portableCvtPkrtzF16F32
	CvtPkBf16F32   Kernel2 = portableCvtPkBf16F32
	PermB32        Kernel3 = portablePermB32
	bitTable               = portableBitTable
)
