package api

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/store"
)

// team answers GET /v2/team.
func (s *Server) team(w http.ResponseWriter, r *http.Request) error {
	id := identity(r)
	limits := trawl.TeamLimits{
		Credits: orUnlimited(id.Plan.Credits), Concurrency: id.Plan.Concurrency,
		Queued: orUnlimited(id.Plan.Queued), RPM: id.Plan.RPM,
	}
	if limits.RPM == nil {
		limits.RPM = map[string]int{}
	}
	return reply(w, trawl.TeamReply{Success: true, Data: trawl.TeamView{
		ID: id.Team.ID, Name: id.Team.Name, Plan: id.Team.Plan, CreatedAt: trawl.Timestamp(id.Team.CreatedAt),
		Limits: limits, WebhookSecretSet: id.Team.WebhookSecret != "",
	}})
}

func orUnlimited(n int64) int64 {
	if n == 0 {
		return trawl.Unlimited
	}
	return n
}

// creditUsage answers GET /v2/team/credit-usage.
func (s *Server) creditUsage(w http.ResponseWriter, r *http.Request) error {
	left, of, err := s.access.Balance(r.Context(), identity(r).Team)
	if err != nil {
		return err
	}
	start, end := s.month()
	return reply(w, trawl.CreditUsageReply{Success: true, Data: trawl.CreditUsage{
		RemainingCredits: left, PlanCredits: of, BillingPeriodStart: start, BillingPeriodEnd: end,
	}})
}

// tokenUsage answers GET /v2/team/token-usage.
func (s *Server) tokenUsage(w http.ResponseWriter, r *http.Request) error {
	left, of, err := s.access.Balance(r.Context(), identity(r).Team)
	if err != nil {
		return err
	}
	start, end := s.month()
	return reply(w, trawl.TokenUsageReply{Success: true, Data: trawl.TokenUsage{
		RemainingTokens: tokens(left), PlanTokens: tokens(of), BillingPeriodStart: start, BillingPeriodEnd: end,
	}})
}

// tokens converts credits, but leaves the number that means no limit.
func tokens(credits int64) int64 {
	if credits == trawl.Unlimited {
		return credits
	}
	return credits * trawl.TokensPerCredit
}

func (s *Server) month() (start, end *trawl.Timestamp) {
	starts, ends := s.access.Month()
	return stamp(starts), stamp(ends)
}

// stamp gives a moment in the wire's form; the zero time is null.
func stamp(t time.Time) *trawl.Timestamp {
	if t.IsZero() {
		return nil
	}
	at := trawl.Timestamp(t)
	return &at
}

// creditHistory answers GET /v2/team/credit-usage/historical.
func (s *Server) creditHistory(w http.ResponseWriter, r *http.Request) error {
	byKey, within := r.URL.Query().Get("byApiKey") == "true", r.URL.Query().Get("timeRange")
	if within == "" {
		return s.history(w, r, byKey, func(p *trawl.UsagePeriod, credits int64) { p.CreditsUsed = &credits })
	}
	if !slices.Contains([]string{"day", "week", "month"}, within) {
		return trawl.BadRequest([]trawl.Issue{trawl.CustomIssue("timeRange must be day, week, or month.", "timeRange")})
	}
	if byKey {
		return trawl.BadRequest([]trawl.Issue{trawl.CustomIssue("byApiKey cannot be combined with timeRange.", "byApiKey")})
	}
	start, end, periods, err := s.access.Within(r.Context(), identity(r).Team.ID, within)
	if err != nil {
		return err
	}
	return reply(w, trawl.HistoryReply{
		Success: true, Window: &trawl.UsageWindow{Start: trawl.Timestamp(start), End: trawl.Timestamp(end)},
		Periods: usagePeriods(periods, func(p *trawl.UsagePeriod, credits int64) { p.CreditsUsed = &credits }),
	})
}

// tokenHistory answers GET /v2/team/token-usage/historical.
func (s *Server) tokenHistory(w http.ResponseWriter, r *http.Request) error {
	return s.history(w, r, r.URL.Query().Get("byApiKey") == "true", func(p *trawl.UsagePeriod, credits int64) {
		used := tokens(credits)
		p.TokensUsed = &used
	})
}

func (s *Server) history(w http.ResponseWriter, r *http.Request, byKey bool, set func(*trawl.UsagePeriod, int64)) error {
	periods, err := s.access.History(r.Context(), identity(r).Team.ID, byKey)
	if err != nil {
		return err
	}
	return reply(w, trawl.HistoryReply{Success: true, Periods: usagePeriods(periods, set)})
}

func usagePeriods(periods []access.Period, set func(*trawl.UsagePeriod, int64)) []trawl.UsagePeriod {
	out := make([]trawl.UsagePeriod, len(periods))
	for i, p := range periods {
		out[i] = trawl.UsagePeriod{StartDate: stamp(p.Start), EndDate: stamp(p.End), APIKey: p.Key}
		set(&out[i], p.Credits)
	}
	return out
}

// queueStatus answers GET /v2/team/queue-status.
func (s *Server) queueStatus(w http.ResponseWriter, r *http.Request) error {
	id := identity(r)
	busy, waiting, err := s.access.Busy(r.Context(), id.Team.ID)
	if err != nil {
		return err
	}
	queued, _, err := s.Queue.Depth(r.Context(), id.Team.ID)
	if err != nil {
		return err
	}
	last, err := s.access.LastSuccess(r.Context(), id.Team.ID)
	if err != nil {
		return err
	}
	waiting += queued
	return reply(w, trawl.QueueReply{
		Success: true, JobsInQueue: busy + waiting, ActiveJobsInQueue: busy, WaitingJobsInQueue: waiting,
		MaxConcurrency: id.Plan.Concurrency, MostRecentSuccess: stamp(last),
	})
}

// concurrency answers GET /v2/concurrency-check.
func (s *Server) concurrency(w http.ResponseWriter, r *http.Request) error {
	id := identity(r)
	busy, _, err := s.access.Busy(r.Context(), id.Team.ID)
	if err != nil {
		return err
	}
	return reply(w, trawl.ConcurrencyReply{Success: true, Concurrency: busy, MaxConcurrency: id.Plan.Concurrency})
}

// The sizes of a page of activity.
const (
	activityPage    = 50
	activityPageMax = 100
)

// activity answers GET /v2/team/activity.
func (s *Server) activity(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	page := store.ActivityPage{TeamID: identity(r).Team.ID, Endpoint: query.Get("endpoint"), Limit: activityPage}
	if page.Endpoint != "" && !slices.Contains(trawl.ActivityEndpoints, page.Endpoint) {
		return trawl.BadRequest([]trawl.Issue{trawl.CustomIssue(
			"Invalid endpoint filter. Must be one of: "+strings.Join(trawl.ActivityEndpoints, ", "), "endpoint")})
	}
	if n, err := strconv.Atoi(query.Get("limit")); err == nil && n > 0 {
		page.Limit = min(n, activityPageMax)
	}
	if cursor := query.Get("cursor"); cursor != "" {
		if !readCursor(cursor, &page) {
			return trawl.BadRequest([]trawl.Issue{trawl.CustomIssue("Invalid cursor.", "cursor")})
		}
	}
	page.Limit++ // one more than asked for tells whether there is more
	entries, err := s.access.Activity(r.Context(), page)
	if err != nil {
		return err
	}
	out := trawl.ActivityReply{Success: true, HasMore: len(entries) == page.Limit, Data: []trawl.ActivityEntry{}}
	if out.HasMore {
		entries = entries[:page.Limit-1]
		out.Cursor = cursorAfter(entries[len(entries)-1])
	}
	for _, e := range entries {
		out.Data = append(out.Data, activityEntry(e))
	}
	return reply(w, out)
}

func activityEntry(a store.Activity) trawl.ActivityEntry {
	e := trawl.ActivityEntry{ID: a.ID, Endpoint: a.Endpoint, APIVersion: "v2", CreatedAt: trawl.Timestamp(a.At)}
	if a.Target != "" {
		e.Target = &a.Target
	}
	return e
}

// cursorAfter and readCursor keep the place of an entry: its time and its id.
func cursorAfter(a store.Activity) *string {
	text := base64.RawURLEncoding.EncodeToString([]byte(trawl.Timestamp(a.At).String() + ":" + a.ID))
	return &text
}

func readCursor(text string, page *store.ActivityPage) bool {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return false
	}
	cut := strings.LastIndexByte(string(data), ':')
	if cut < 0 {
		return false
	}
	var at trawl.Timestamp
	if at.UnmarshalText(data[:cut]) != nil {
		return false
	}
	page.Before, page.BeforeID = time.Time(at), string(data[cut+1:])
	return true
}
