package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

// release and commit are set by the linker in builds without the repository: deploy/Dockerfile.
var release, commit string

// build identifies a build of the program.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	// Modified says that the source had uncommitted changes.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
}

func thisBuild() build {
	b := build{Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = info.Main.Version
		for _, setting := range info.Settings {
			switch setting.Key {
			case "vcs.revision":
				b.Revision = setting.Value
			case "vcs.modified":
				b.Modified = setting.Value == "true"
			}
		}
	}
	b.Version, b.Revision = cmp.Or(release, b.Version, "unknown"), cmp.Or(commit, b.Revision, "unknown")
	return b
}

// revision is the source's, marked if it was modified.
func (b build) revision() string {
	if b.Modified {
		return b.Revision + "+modified"
	}
	return b.Revision
}

// instance names this process among those of the service: in a cluster, the host is the pod.
func instance() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// versionCommand prints the build.
type versionCommand struct {
	JSON bool `name:"json" help:"Print a JSON object."`
}

// Run prints it on one line.
func (c *versionCommand) Run(std streams) error {
	b := thisBuild()
	if c.JSON {
		return json.NewEncoder(std.out).Encode(b)
	}
	_, err := fmt.Fprintf(std.out, "convene %s, revision %s, %s\n", b.Version, b.revision(), b.Go)
	return err
}
