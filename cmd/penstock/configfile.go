package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// configFile is a kong resolver that reads the YAML file named by --config. Its
// keys are the global flags and those of serve, with underscores (data_dir); a
// key that no flag has is an error, because it is a setting that would silently
// do nothing.
type configFile struct {
	values map[string]any // nil until the file was read
	limits map[string]string
}

// limitsKey is the file's key for all that --limit can set.
const limitsKey = "limits"

// Validate implements kong.Resolver.
func (*configFile) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. A flag whose environment variable is set is
// left alone: kong asks resolvers after the environment, and here the
// environment wins.
func (f *configFile) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !inFile(flag) {
		return nil, nil //nolint:nilnil // kong's way to say "no value from here"
	}
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil //nolint:nilnil // see above
		}
	}
	if err := f.load(ctx); err != nil {
		return nil, err
	}
	return f.values[fileKey(flag.Name)], nil
}

// load reads the file once, when the first flag is resolved.
func (f *configFile) load(ctx *kong.Context) error {
	if f.values != nil {
		return nil
	}
	f.values = map[string]any{}
	path := configPath(ctx)
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the configuration file: %w", err)
	}
	values, err := readConfig(data, fileKeys(ctx))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if f.limits, err = limitsIn(values); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f.values = values
	return nil
}

// limitsIn takes the limits out of what a file says.
func limitsIn(values map[string]any) (map[string]string, error) {
	all, ok := values[limitsKey].(map[string]any)
	if _, there := values[limitsKey]; there && !ok {
		return nil, errors.New(limitsKey + " has to be a list of \"name: value\" lines")
	}
	delete(values, limitsKey)
	limits := make(map[string]string, len(all))
	for name, value := range all {
		limits[name] = fmt.Sprint(value)
	}
	return limits, nil
}

// inFile reports whether a flag is a key of the file.
func inFile(flag *kong.Flag) bool {
	return flag.Name != "config" && flag.Name != "help" && flag.Name != "limit"
}

// configPath is the value of --config as parsed so far: command line, else
// environment.
func configPath(ctx *kong.Context) string {
	for _, flag := range ctx.Flags() {
		if flag.Name == "config" {
			path, _ := ctx.FlagValue(flag).(string)
			return path
		}
	}
	return ""
}

// fileKeys are the keys the file may have.
func fileKeys(ctx *kong.Context) []string {
	keys := []string{limitsKey}
	add := func(flags []*kong.Flag) {
		for _, flag := range flags {
			if inFile(flag) {
				keys = append(keys, fileKey(flag.Name))
			}
		}
	}
	add(ctx.Model.Flags)
	for _, child := range ctx.Model.Children {
		if child.Name == "serve" {
			add(child.Flags)
		}
	}
	slices.Sort(keys)
	return keys
}

func fileKey(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// readConfig parses a configuration file whose keys are among known.
func readConfig(data []byte, known []string) (map[string]any, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, fmt.Errorf("not valid YAML: %s", yaml.FormatError(err, false, true))
	}
	var problems []error
	for _, doc := range file.Docs {
		switch body := doc.Body.(type) {
		case nil, *ast.CommentGroupNode, *ast.NullNode:
		case *ast.MappingNode:
			for _, entry := range body.Values {
				problems = append(problems, unknownKey(entry, known))
			}
		default:
			problems = append(problems, errors.New("the file has to be a list of \"key: value\" lines"))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(data, &values); err != nil {
		return nil, errors.New(yaml.FormatError(err, false, true))
	}
	for key, value := range values {
		switch value := value.(type) {
		case []any:
			for i := range value {
				value[i] = fmt.Sprint(value[i])
			}
		case map[string]any: // the limits
		case nil:
			delete(values, key)
		default:
			values[key] = fmt.Sprint(value)
		}
	}
	return values, nil
}

// unknownKey says where a key stands that no flag has.
func unknownKey(entry *ast.MappingValueNode, known []string) error {
	key := entry.Key.String()
	if slices.Contains(known, key) {
		return nil
	}
	line := entry.Key.GetToken().Position.Line
	return fmt.Errorf("line %d: unknown key %q (there are: %s)", line, key, strings.Join(known, ", "))
}
