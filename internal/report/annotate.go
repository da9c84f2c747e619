package report

import (
	"fmt"
	"strings"
)

var (
	// message and property escape text for GitHub's workflow commands.
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotation returns a line with which GitHub Actions shows a report at a line of the source. root is the folder of the
// checkout, to which GitHub's paths are relative.
func annotation(title, text, root string, at place) string {
	var where strings.Builder
	if at.file != "" {
		fmt.Fprintf(&where, "file=%s,line=%d,", property.Replace(strings.TrimPrefix(at.file, strings.TrimSuffix(root, "/")+"/")), at.line)
	}
	return fmt.Sprintf("::error %stitle=%s::%s\n", &where, property.Replace(title), message.Replace(text))
}
