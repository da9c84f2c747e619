//go:build !amd64

package gcn

// Kernels of instructions, named like them.
var (
	pkMinI16       kernel2 = portablePkMinI16
	pkMaxI16       kernel2 = portablePkMaxI16
	pkMad16        kernel3 = portablePkMad16
	dot2I32        kernel3 = portableDot2I32
	dot2U32        kernel3 = portableDot2U32
	dot4I32        kernel3 = portableDot4I32
	dot4U32        kernel3 = portableDot4U32
	dot8I32        kernel3 = portableDot8I32
	dot8U32        kernel3 = portableDot8U32
	sadU8          kernel3 = portableSadU8
	sadHiU8        kernel3 = portableSadHiU8
	msadU8         kernel3 = portableMsadU8
	sadU16         kernel3 = portableSadU16
	lerpU8         kernel3 = portableLerpU8
	cvtPkF16F32    kernel2 = portableCvtPkF16F32
	cvtPkrtzF16F32 kernel2 = portableCvtPkrtzF16F32
	cvtPkBf16F32   kernel2 = portableCvtPkBf16F32
	permB32        kernel3 = portablePermB32
	bitTable               = portableBitTable
)
