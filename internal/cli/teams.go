package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/config"
)

type teamsCommand struct {
	List listTeamsCommand `cmd:"" help:"List the teams."`
	Set  setTeamCommand   `cmd:"" help:"Change a team's plan or allowed addresses; makes it when there is none."`
}

type listTeamsCommand struct{ config.Storage }

// Run lists teams.
func (c *listTeamsCommand) Run(ctx context.Context, env Env) error {
	return gate(ctx, c.Storage, func(a *access.Service) error {
		teams, err := a.Teams(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "TEAM\tPLAN\tALLOWED ADDRESSES\tCREATED")
		for _, t := range teams {
			allowed := strings.Join(t.AllowedIPs, ",")
			if allowed == "" {
				allowed = "all"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.ID, t.Plan, allowed, day(t.CreatedAt))
		}
		return w.Flush()
	})
}

type setTeamCommand struct {
	config.Storage
	Team  string    `arg:"" help:"The team."`
	Plan  *string   `help:"Name of a plan in the plans file."`
	Allow *[]string `help:"Addresses and ranges its keys may be used from; an empty list means all."`
}

// Run changes a team.
func (c *setTeamCommand) Run(ctx context.Context, env Env) error {
	return gate(ctx, c.Storage, func(a *access.Service) error {
		if err := a.EnsureTeam(ctx, c.Team); err != nil {
			return err
		}
		teams, err := a.Teams(ctx)
		if err != nil {
			return err
		}
		team := teams[slices.IndexFunc(teams, func(t trawl.Team) bool { return t.ID == c.Team })]
		if c.Plan != nil {
			team.Plan = *c.Plan
		}
		if c.Allow != nil {
			team.AllowedIPs = slices.DeleteFunc(*c.Allow, func(text string) bool { return text == "" })
		}
		if err := a.UpdateTeam(ctx, team); err != nil {
			return err
		}
		_, err = fmt.Fprintln(env.Stdout, "done; a running server knows within two seconds")
		return err
	})
}
