package random

import (
	"fmt"
	"os"
	"strings"
)

// A saved kernel is a file of two parts: what is compiled for the device and for
// the host, below a line that says how.

const savedLine = "// %s, chip %s, -O%d, waves of %d, inputs %d, groups %d %d %d, work-items %d %d %d\n"

const devicePart, hostPart = "// On the device:\n", "// On the host:\n"

// allArguments stands for the buffers, which every kernel gets.
const allArguments = "{arguments}"

// Save writes a kernel and its setting to a file.
func Save(path string, s Setting, k Kernel) error {
	text := fmt.Sprintf(savedLine, k.Name, s.Chip, s.Level, s.Lanes, s.Inputs, k.Groups[0], k.Groups[1], k.Groups[2], k.Items[0], k.Items[1], k.Items[2])
	text += devicePart + k.Device + hostPart + k.Host
	return os.WriteFile(path, []byte(strings.ReplaceAll(text, arguments(), allArguments)), 0o644)
}

// Saved reads what Save wrote.
func Saved(path string) (s Setting, k Kernel, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return s, k, err
	}
	head, rest, _ := strings.Cut(strings.ReplaceAll(string(b), allArguments, arguments()), devicePart)
	device, host, ok := strings.Cut(rest, hostPart)
	if !ok {
		return s, k, fmt.Errorf("%s has no two parts", path)
	}
	_, err = fmt.Sscanf(strings.NewReplacer(",", "", "\n", "").Replace(head), strings.NewReplacer(",", "", "\n", "").Replace(savedLine),
		&k.Name, &s.Chip, &s.Level, &s.Lanes, &s.Inputs, &k.Groups[0], &k.Groups[1], &k.Groups[2], &k.Items[0], &k.Items[1], &k.Items[2])
	if err != nil {
		return s, k, fmt.Errorf("%s: %w", path, err)
	}
	k.Device, k.Host = device, host
	return s, k, nil
}
