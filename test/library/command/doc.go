// Package command tests how the command mgpu ends by signals, and which of them a program that it runs inherits.
package command
