// Holds a dashboard to the types of Grafana: a field that is unknown, missing or of another type is an error. It prints
// each with its path, and then ends with 1.
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	made := dashboard.Dashboard{}
	fail(made.UnmarshalJSONStrict(text))
	fail(made.Validate())
}

// The library returns an empty list, which is not nil, when it finds nothing.
func fail(err error) {
	if err == nil || err.Error() == "" {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
