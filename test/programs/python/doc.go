// Package python runs the Python package, python/mgpu_runtime, in real processes of
// python3 with numpy: suite.py has what one process can tell, process.py what becomes of
// processes by forks, signals and exits; scripts/wheel's file is installed and used. The
// programs are lowered by MLIR 22.
package python
