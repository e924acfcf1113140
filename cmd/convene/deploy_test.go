package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// deployed is a file of the folder with which Convene is put to work.
func deployed(t *testing.T, name string) string {
	t.Helper()
	return read(t, "cmd/convene/deploy/"+name)
}

// documents are those of a YAML file.
func documents(t *testing.T, name string) (all []any) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(deployed(t, name)))
	for {
		var one any
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
}

// at is what stands at a path of a document, in words.
func at(t *testing.T, document any, path string) string {
	t.Helper()
	found, ok := lookup(document, path)
	if !ok {
		t.Errorf("there is no %s", path)
	}
	return fmt.Sprint(found)
}

// variables are the environment variables that a file of the folder sets, by name.
func variables(t *testing.T) map[string]map[string]string {
	t.Helper()
	files := map[string]map[string]string{"Dockerfile": {}, "convene.env": {}, "compose.yaml": {}, "kubernetes.yaml": {}}
	for _, line := range regexp.MustCompile(`(?m)^ENV (\w+)=(\S+)$`).FindAllStringSubmatch(deployed(t, "Dockerfile"), -1) {
		files["Dockerfile"][line[1]] = line[2]
	}
	for _, line := range regexp.MustCompile(`(?m)^#?([A-Z][A-Z0-9_]+)=(\S*)$`).
		FindAllStringSubmatch(deployed(t, "convene.env"), -1) {
		files["convene.env"][line[1]] = line[2]
	}
	environment, _ := lookup(documents(t, "compose.yaml")[0], "services.convene.environment")
	for name, value := range environment.(map[string]any) {
		files["compose.yaml"][name] = ""
		if value != nil {
			files["compose.yaml"][name] = fmt.Sprint(value)
		}
	}
	list, _ := lookup(documents(t, "kubernetes.yaml")[0], "spec.template.spec.containers.0.env")
	for _, one := range list.([]any) {
		files["kubernetes.yaml"][at(t, one, "name")] = at(t, one, "value")
	}
	for _, secret := range regexp.MustCompile(`--from-literal=(\w+)=`).
		FindAllStringSubmatch(deployed(t, "kubernetes.yaml"), -1) {
		files["kubernetes.yaml"][secret[1]] = ""
	}
	return files
}

// known are the variables that the program reads, or Go for it.
func known(t *testing.T, name string) bool {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			if command.Name == "serve" && slices.Contains(flag.Envs, name) {
				return true
			}
		}
	}
	return name == "GOMEMLIMIT" || name == "OTEL_EXPORTER_OTLP_ENDPOINT"
}

// Each variable that is set anywhere is a setting, and has a value that the program takes.
func TestDeployedSettings(t *testing.T) {
	for file, set := range variables(t) {
		t.Run(file, func(t *testing.T) {
			for name, value := range set {
				if !known(t, name) {
					t.Errorf("%s is no setting", name)
				}
				if value != "" {
					t.Setenv(name, value)
				}
			}
			var out, errs bytes.Buffer
			if status := run(t.Context(), []string{"config"}, streams{nil, &out, &errs}); status != exitDone {
				t.Fatalf("status %d: %s", status, &errs)
			}
			for name, value := range set {
				own := strings.HasPrefix(name, "CONVENE_") || name == "REDIS_URL"
				if own && value != "" && !strings.Contains(out.String(), "environment "+name) {
					t.Errorf("%s is not in force:\n%s", name, &out)
				}
			}
		})
	}
}

// What the files say of each other holds: the port, the user, the paths, the names.
func TestDeployedFilesAgree(t *testing.T) {
	t.Parallel()
	dockerfile := deployed(t, "Dockerfile")
	compose, pods := documents(t, "compose.yaml")[0], documents(t, "kubernetes.yaml")
	const pod = "spec.template.spec."
	const container = pod + "containers.0."
	port := matched(t, dockerfile, `(?m)^EXPOSE (\d+)$`)
	user := matched(t, dockerfile, `(?m)^USER (\d+):\d+$`)
	if user == "0" {
		t.Error("the container runs as root")
	}
	set := variables(t)
	for _, c := range []struct{ what, got, want string }{
		{"the image listens", set["Dockerfile"]["CONVENE_LISTEN"], ":" + port},
		{"compose listens", set["compose.yaml"]["CONVENE_LISTEN"], ":" + port},
		{"Kubernetes listens", set["kubernetes.yaml"]["CONVENE_LISTEN"], ":" + port},
		{"compose publishes to this machine only", at(t, compose, "services.convene.ports.0"),
			"127.0.0.1:" + port + ":" + port},
		{"the pod's port", at(t, pods[0], container+"ports.0.containerPort"), port},
		{"the Service's port", at(t, pods[1], "spec.ports.0.targetPort"), at(t, pods[0], container+"ports.0.name")},
		{"what Prometheus asks", ":" + at(t, documents(t, "prometheus.yml")[0], "scrape_configs.0.dns_sd_configs.0.port"),
			set["kubernetes.yaml"]["CONVENE_METRICS_LISTEN"]},
		{"what Prometheus asks of compose", set["compose.yaml"]["CONVENE_METRICS_LISTEN"],
			set["kubernetes.yaml"]["CONVENE_METRICS_LISTEN"]},
		{"where the pod is asked", ":" + at(t, pods[0], container+"ports.1.containerPort"),
			set["kubernetes.yaml"]["CONVENE_METRICS_LISTEN"]},
		{"where the replicas are asked", at(t, pods[2], "spec.ports.0.targetPort"), at(t, pods[0], container+"ports.1.name")},
		{"the start's probe", at(t, pods[0], container+"startupProbe.httpGet.port"),
			at(t, pods[0], container+"ports.1.name")},
		{"the probe of life", at(t, pods[0], container+"livenessProbe.httpGet.port"),
			at(t, pods[0], container+"ports.1.name")},
		{"the probe of readiness", at(t, pods[0], container+"readinessProbe.httpGet.port"),
			at(t, pods[0], container+"ports.1.name")},
		{"the pod's user", at(t, pods[0], pod+"securityContext.runAsUser"), user},
		{"the pod's replicas", at(t, pods[0], "spec.replicas"), "2"},
		{"what the Dockerfile is", at(t, compose, "services.convene.build.dockerfile"), "cmd/convene/deploy/Dockerfile"},
		{"what Redis throws out", matched(t, deployed(t, "compose.yaml"), `--maxmemory-policy\n\s+- (\S+)`), "noeviction"},
		{"the Service's pods", at(t, pods[1], "spec.selector"), at(t, pods[0], "spec.selector.matchLabels")},
		{"the replicas' pods", at(t, pods[2], "spec.selector"), at(t, pods[0], "spec.selector.matchLabels")},
		{"what may not be disrupted", at(t, pods[3], "spec.selector.matchLabels"),
			at(t, pods[0], "spec.selector.matchLabels")},
		{"the pods' labels", at(t, pods[0], "spec.template.metadata.labels"), at(t, pods[0], "spec.selector.matchLabels")},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	for _, file := range []string{"compose.yaml", "kubernetes.yaml"} {
		if set[file]["CONVENE_REQUIRE_KEY"] != "true" {
			t.Errorf("%s lets everybody in who reaches it", file)
		}
	}
	names := at(t, documents(t, "prometheus.yml")[0], "scrape_configs.0.dns_sd_configs.0.names")
	if replicas := at(t, pods[2], "metadata.name"); names != "[convene "+replicas+"]" {
		t.Errorf("Prometheus looks for %s, the replicas are %s", names, replicas)
	}
}

func matched(t *testing.T, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("nothing is like %s in:\n%s", pattern, text)
	}
	return found[1]
}

// The compiler of the image is the one that go.mod asks for.
func TestDeployedGo(t *testing.T) {
	t.Parallel()
	want := matched(t, read(t, "go.mod"), `(?m)^go (\d+\.\d+)`)
	if got := matched(t, deployed(t, "Dockerfile"), `(?m)^FROM \S* ?golang:(\S+) AS build$`); got != want {
		t.Errorf("the image is built with Go %s, go.mod wants %s", got, want)
	}
	if !strings.Contains(deployed(t, "Dockerfile"), "CGO_ENABLED=0") {
		t.Error("the program is not static, and there is nothing that it could be linked with")
	}
}

// Whoever is stopped has the time that running turns are given, and that of the last traces, before it is killed.
func TestDeployedPatience(t *testing.T) {
	t.Parallel()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err == nil {
		_, err = parser.Parse([]string{"serve", "--drain=0s"}) // the environment's may differ
	}
	if err != nil {
		t.Fatal(err)
	}
	var drain time.Duration
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			if command.Name == "serve" && flag.Name == "drain" {
				drain, err = time.ParseDuration(flag.Default)
			}
		}
	}
	needed := int((drain + partingTime + flushTime).Seconds())
	if err != nil || needed < 5 {
		t.Fatalf("%d s are needed: %v", needed, err)
	}
	pod := documents(t, "kubernetes.yaml")[0]
	grace := at(t, pod, "spec.template.spec.terminationGracePeriodSeconds")
	pause := at(t, pod, "spec.template.spec.containers.0.lifecycle.preStop.sleep.seconds")
	compose := strings.TrimSuffix(at(t, documents(t, "compose.yaml")[0], "services.convene.stop_grace_period"), "s")
	unit := matched(t, deployed(t, "convene.service"), `(?m)^TimeoutStopSec=(\d+)$`)
	for name, c := range map[string]struct{ given, before string }{
		"systemd": {unit, "0"}, "compose": {compose, "0"}, "Kubernetes": {grace, pause},
	} {
		given, errGiven := strconv.Atoi(c.given)
		before, errBefore := strconv.Atoi(c.before)
		if errGiven != nil || errBefore != nil || given <= before+needed {
			t.Errorf("%s gives %s s, %s of them for a pause; more than %d are needed", name, c.given, c.before, needed)
		}
	}
}

// Everything that a probe, a dashboard or an alert asks for is there once a turn has been served.
func TestDeployedMeasures(t *testing.T) {
	t.Parallel()
	server := wired(t, parseSettings(t))
	beside := freeAddress(t)
	end, err := server.app.measure(t.Context(), beside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	for _, path := range probed(t) {
		if status, _, _ := get(t, "http://"+beside+path); status != http.StatusOK {
			t.Errorf("%s: status %d", path, status)
		}
	}
	(&client{t: t, server: server.url(), conversation: "measured"}).take(step{
		kind: "say", body: "coffee with Al next week",
	})
	server.app.telemetry.RedisFailed("read a turn") // the only series that is not there while all goes well
	_, served, _ := get(t, server.url()+"/metrics")
	told := map[string]bool{"up": true} // is Prometheus' own
	for _, name := range regexp.MustCompile(`(?m)^(\w+)[{ ]`).FindAllSubmatch(served, -1) {
		told[string(name[1])] = true
	}
	labels := map[string]bool{"instance": true, "job": true}
	for _, name := range regexp.MustCompile(`[{,](\w+)="`).FindAllSubmatch(served, -1) {
		labels[string(name[1])] = true
	}
	queries := asked(t)
	if len(queries) < 30 {
		t.Errorf("%d queries", len(queries))
	}
	for _, query := range queries {
		holds := strings.Count(query, "(") == strings.Count(query, ")") &&
			strings.Count(query, "{") == strings.Count(query, "}")
		for _, name := range metricsOf(query) {
			holds = holds && told[name]
		}
		for _, label := range regexp.MustCompile(`[{,](\w+)(?:=~?|!=|!~)"`).FindAllStringSubmatch(query, -1) {
			holds = holds && labels[label[1]]
		}
		if !holds {
			t.Errorf("%s asks for what is not told", query)
		}
	}
	everything := strings.Join(queries, "\n")
	for _, name := range regexp.MustCompile(`(?m)^# TYPE (convene_\w+) `).FindAllStringSubmatch(string(served), -1) {
		if !strings.Contains(everything, name[1]) {
			t.Errorf("nobody looks at %s", name[1])
		}
	}
}

// probed are the paths that a supervisor asks of a replica.
func probed(t *testing.T) (paths []string) {
	t.Helper()
	container, _ := lookup(documents(t, "kubernetes.yaml")[0], "spec.template.spec.containers.0")
	for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
		paths = append(paths, at(t, container, probe+".httpGet.path"))
	}
	return append(paths, at(t, documents(t, "prometheus.yml")[0], "scrape_configs.0.metrics_path"))
}

// asked are the queries of the dashboard and of the alerts.
func asked(t *testing.T) (queries []string) {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(deployed(t, "grafana.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range dashboard.Panels {
		if seen[p.ID] || p.Title == "" || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %d %q", p.ID, p.Title)
		}
		seen[p.ID] = true
		for _, target := range p.Targets {
			queries = append(queries, target.Expr)
		}
	}
	rules, _ := lookup(documents(t, "alerts.yml")[0], "groups.0.rules")
	for _, rule := range rules.([]any) {
		if at(t, rule, "alert") == "" || at(t, rule, "annotations.summary") == "" || at(t, rule, "labels.severity") == "" {
			t.Errorf("rule %v", rule)
		}
		queries = append(queries, at(t, rule, "expr"))
	}
	return queries
}

// metricsOf are the names in a query that are no function, no label and no word of the language.
func metricsOf(query string) (names []string) {
	bare := regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)`).ReplaceAllString(query, " ")
	for _, at := range regexp.MustCompile(`[a-zA-Z_]\w*`).FindAllStringIndex(bare, -1) {
		if !strings.HasPrefix(bare[at[1]:], "(") && bare[at[0]:at[1]] != "sum" && bare[at[0]:at[1]] != "max" {
			names = append(names, bare[at[0]:at[1]])
		}
	}
	return names
}

// The unit is one that systemd reads, and shuts the program in.
func TestDeployedUnit(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	unit := filepath.Join(t.TempDir(), "convene.service")
	text := strings.ReplaceAll(deployed(t, "convene.service"), "/usr/local/bin/convene ", "/bin/true ") // which is there
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", unit).CombinedOutput(); err != nil ||
		strings.Contains(string(out), "convene.service:") {
		t.Errorf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--threshold=15", "--no-pager",
		unit).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
