// Package cli is the commands of the binary. Each talks to an interface: a
// service opened in this process, or a client of a server elsewhere.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/telemetry"
)

// Env is what a command has of the world around it.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// OS is the real world.
func OS() Env { return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr} }

// commands is the grammar of the command line.
type commands struct {
	Serve   serveCommand   `cmd:"" help:"Run the server: API, workers and scheduler in one process."`
	Teams   teamsCommand   `cmd:"" help:"List teams, and change their plan and allowed addresses."`
	Keys    keysCommand    `cmd:"" help:"Make, list and revoke keys."`
	Scrape  scrapeCommand  `cmd:"" help:"Turn pages into documents."`
	Crawl   crawlCommand   `cmd:"" help:"Scrape a whole site into a folder."`
	Map     mapCommand     `cmd:"" help:"List the addresses of a site."`
	Parse   parseCommand   `cmd:"" help:"Turn files into documents."`
	Gov     govCommand     `cmd:"" help:"Search primary US law, and fill its index."`
	Doctor  doctorCommand  `cmd:"" help:"Tell what is installed, what is missing, what that costs and how to fix it."`
	GC      gcCommand      `cmd:"" name:"gc" help:"Remove what has expired."`
	Backup  backupCommand  `cmd:"" help:"Copy the database to a file while the server runs."`
	Version versionCommand `cmd:"" help:"Print version, commit and Go version."`

	ReadApart readApartCommand `cmd:"" name:"read-apart" hidden:""`
}

// exitUsage is the exit code of a command line that cannot be understood.
const exitUsage = 2

// Run carries out one command line and gives the exit code.
func Run(ctx context.Context, args []string, env Env) int {
	var grammar commands
	exited, code := false, 0
	parser, err := newParser(&grammar, args, env, func(c int) { exited, code = true, c })
	if err != nil {
		fmt.Fprintln(env.Stderr, "trawl:", err)
		return exitUsage
	}
	line, err := parser.Parse(args)
	if exited { // --help has said what there is to say
		return code
	}
	if err != nil {
		fmt.Fprintf(env.Stderr, "trawl: %v\nRun \"trawl --help\" for the commands.\n", err)
		return exitUsage
	}
	line.BindTo(ctx, (*context.Context)(nil))
	if err := line.Run(env); err != nil {
		if !errors.Is(err, errQuiet) {
			fmt.Fprintln(env.Stderr, "trawl:", err)
		}
		return 1
	}
	return 0
}

// errQuiet ends a command that has already said what was wrong.
var errQuiet = errors.New("failed")

func newParser(grammar *commands, args []string, env Env, exit func(int)) (*kong.Kong, error) {
	file, err := config.ReadFile(dataDirOf(args))
	if err != nil {
		return nil, err
	}
	return kong.New(grammar, kong.Name("trawl"), kong.Description("The web-data service that you run yourself."),
		kong.Writers(env.Stdout, env.Stderr), kong.Exit(exit), kong.Resolvers(file), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
}

// dataDirOf finds the data directory before the command line is parsed: the
// settings file in it takes part in the parsing.
func dataDirOf(args []string) string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--data-dir="); ok {
			return value
		}
		if arg == "--data-dir" && i+1 < len(args) {
			return args[i+1]
		}
	}
	if value := os.Getenv("TRAWL_DATA_DIR"); value != "" {
		return value
	}
	field, _ := reflect.TypeFor[config.Storage]().FieldByName("DataDir")
	return field.Tag.Get("default")
}

// logger makes the log of a command.
func logger(w io.Writer, s config.Logging) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		level = slog.LevelInfo // kong has checked the word
	}
	return telemetry.NewLogger(w, s.LogFormat, level)
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(env Env) error {
	_, err := fmt.Fprintf(env.Stdout, "trawl %s %s\n", Version(), runtime.Version())
	return err
}

// version and commit are set by the linker.
var version, commit string

// Version names this build.
func Version() string {
	v, c := version, commit
	if info, ok := debug.ReadBuildInfo(); ok && c == "" {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				c = setting.Value
			}
		}
	}
	if v == "" {
		v = "dev"
	}
	if c == "" {
		return v
	}
	return v + " (" + c[:min(len(c), 12)] + ")"
}
