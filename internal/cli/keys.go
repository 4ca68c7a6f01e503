package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/store"
)

type keysCommand struct {
	Create createKeyCommand `cmd:"" help:"Make a key and print it once."`
	List   listKeysCommand  `cmd:"" help:"List the valid keys."`
	Revoke revokeKeyCommand `cmd:"" help:"Make a key invalid."`
}

// gate opens keys and teams on the same database a server uses.
func gate(ctx context.Context, s config.Storage, use func(*access.Service) error) error {
	db, err := store.Open(ctx, store.Options{DataDir: s.DataDir, DatabaseURL: s.DatabaseURL})
	if err != nil {
		return err
	}
	defer db.Close()
	return use(access.New(db, access.Options{Log: slog.New(slog.DiscardHandler)}))
}

type createKeyCommand struct {
	config.Storage
	Name    string        `help:"What the key is for." default:"API key"`
	Team    string        `help:"Team the key belongs to; made when there is none." default:"default"`
	Scopes  []string      `help:"Groups of endpoints the key may use. Empty: all but admin."`
	Formats []string      `help:"Output formats the key may use. Empty: all."`
	Expires time.Duration `help:"How long the key is valid. 0: for ever."`
	JSON    bool          `name:"json" help:"Print JSON."`
}

// Run makes a key.
func (c *createKeyCommand) Run(ctx context.Context, env Env) error {
	return gate(ctx, c.Storage, func(a *access.Service) error {
		if err := a.EnsureTeam(ctx, c.Team); err != nil {
			return err
		}
		key := trawl.Key{TeamID: c.Team, Name: c.Name, Scopes: c.Scopes, Formats: c.Formats}
		if c.Expires > 0 {
			key.ExpiresAt = time.Now().Add(c.Expires)
		}
		key, token, err := a.CreateKey(ctx, key)
		if err != nil {
			return err
		}
		if c.JSON {
			return json.NewEncoder(env.Stdout).Encode(map[string]any{"id": key.ID, "token": token, "name": key.Name, "teamId": key.TeamID})
		}
		_, err = fmt.Fprintf(env.Stdout, "%s\n", token)
		fmt.Fprintf(env.Stderr, "Key %s of team %s. It is not shown again.\n", key.ID, key.TeamID)
		return err
	})
}

type listKeysCommand struct {
	config.Storage
	Team string `help:"Only this team's keys."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run lists keys.
func (c *listKeysCommand) Run(ctx context.Context, env Env) error {
	return gate(ctx, c.Storage, func(a *access.Service) error {
		keys, err := a.Keys(ctx, c.Team)
		if err != nil {
			return err
		}
		if c.JSON {
			return json.NewEncoder(env.Stdout).Encode(keys)
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tTEAM\tNAME\tENDS IN\tSCOPES\tCREATED\tLAST USED")
		for _, k := range keys {
			fmt.Fprintf(w, "%s\t%s\t%s\t…%s\t%s\t%s\t%s\n", k.ID, k.TeamID, k.Name, k.Last4, scopesText(k), day(k.CreatedAt), day(k.LastUsedAt))
		}
		return w.Flush()
	})
}

func scopesText(k trawl.Key) string {
	if len(k.Scopes) == 0 {
		return "all but admin"
	}
	if len(k.Scopes) == len(trawl.Scopes) {
		return "all"
	}
	return strings.Join(k.Scopes, ",")
}

func day(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}

type revokeKeyCommand struct {
	config.Storage
	ID string `arg:"" help:"Id of the key, as listed."`
}

// Run revokes a key. Who is at the machine may also revoke the last one.
func (c *revokeKeyCommand) Run(ctx context.Context, env Env) error {
	return gate(ctx, c.Storage, func(a *access.Service) error {
		if err := a.RevokeKey(ctx, "", c.ID, true); err != nil {
			return err
		}
		_, err := fmt.Fprintln(env.Stdout, "revoked; a running server forgets it within two seconds")
		return err
	})
}
