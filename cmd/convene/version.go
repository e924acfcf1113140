package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"convene/pkg/telemetry"
)

// release and commit are set by the linker where the build does not see the repository: deploy/Dockerfile.
var release, commit string

// build is which build of the program this is.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	// Modified says that the source was that revision with changes.
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

// revision is the source's, and says where it was changed.
func (b build) revision() string {
	if b.Modified {
		return b.Revision + "+modified"
	}
	return b.Revision
}

func (b build) measured() telemetry.Build {
	return telemetry.Build{Version: b.Version, Revision: b.revision(), Go: b.Go}
}

// instance tells this process from others of the service: in a cluster, the host is the pod.
func instance() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// versionCommand prints which build this is.
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
