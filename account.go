package trawl

// KeyRequest is the body of POST /v2/team/api-keys.
type KeyRequest struct {
	Name       string      `json:"name,omitempty" schema:"minLength=1,maxLength=128" doc:"What the key is for."`
	SpendLimit *SpendLimit `json:"spendLimit,omitempty" doc:"Credits this key may spend in an interval."`
	Scopes     []string    `json:"scopes,omitempty" doc:"Groups of endpoints; absent: those of the key that asks."`
	Formats    []string    `json:"formats,omitempty" doc:"Output formats; absent: those of the key that asks."`
	ExpiresAt  *Timestamp  `json:"expiresAt,omitempty" doc:"When the key stops working; absent: never."`
}

// KeyReply answers the creation of a key: the only time its text is shown.
type KeyReply struct {
	Success bool    `json:"success"`
	APIKey  KeyView `json:"apiKey"`
}

// KeysReply lists the keys of a team.
type KeysReply struct {
	Success bool      `json:"success"`
	APIKeys []KeyView `json:"apiKeys"`
}

// KeyView is a key as the API shows it.
type KeyView struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	TeamID     string      `json:"teamId"`
	OwnerID    *string     `json:"ownerId"`
	Token      string      `json:"token,omitempty"` // only when it was made just now
	Last4      string      `json:"last4,omitempty"`
	SpendLimit *SpendLimit `json:"spendLimit"`
	Scopes     []string    `json:"scopes"`
	Formats    []string    `json:"formats"`
	CreatedAt  Timestamp   `json:"createdAt"`
	LastUsedAt *Timestamp  `json:"lastUsedAt,omitempty"`
	ExpiresAt  *Timestamp  `json:"expiresAt,omitempty"`
}

// OKReply is an answer that says no more than that it worked.
type OKReply struct {
	Success bool `json:"success"`
}

// TeamReply answers GET /v2/team.
type TeamReply struct {
	Success bool     `json:"success"`
	Data    TeamView `json:"data"`
}

// TeamView is a team as the API shows it.
type TeamView struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	Plan             string     `json:"plan"`
	CreatedAt        Timestamp  `json:"createdAt"`
	Limits           TeamLimits `json:"limits"`
	WebhookSecretSet bool       `json:"webhookSecretSet"`
}

// TeamLimits is what the team's plan allows; a class of requests that is absent has no limit.
type TeamLimits struct {
	Credits     int64          `json:"credits"`
	Concurrency int            `json:"concurrency"`
	Queued      int64          `json:"queued"`
	RPM         map[string]int `json:"rpm"`
}

// CreditUsageReply answers GET /v2/team/credit-usage.
type CreditUsageReply struct {
	Success bool        `json:"success"`
	Data    CreditUsage `json:"data"`
}

// CreditUsage is the balance of the running month.
type CreditUsage struct {
	RemainingCredits   int64      `json:"remainingCredits"`
	PlanCredits        int64      `json:"planCredits"`
	BillingPeriodStart *Timestamp `json:"billingPeriodStart"`
	BillingPeriodEnd   *Timestamp `json:"billingPeriodEnd"`
}

// TokenUsageReply answers GET /v2/team/token-usage.
type TokenUsageReply struct {
	Success bool       `json:"success"`
	Data    TokenUsage `json:"data"`
}

// TokenUsage is the same balance in tokens.
type TokenUsage struct {
	RemainingTokens    int64      `json:"remainingTokens"`
	PlanTokens         int64      `json:"planTokens"`
	BillingPeriodStart *Timestamp `json:"billingPeriodStart"`
	BillingPeriodEnd   *Timestamp `json:"billingPeriodEnd"`
}

// TokensPerCredit converts between the two units the published clients know.
const TokensPerCredit = 15

// HistoryReply answers the two historical usage routes; the periods carry credits or tokens.
type HistoryReply struct {
	Success bool          `json:"success"`
	Window  *UsageWindow  `json:"window,omitempty"`
	Periods []UsagePeriod `json:"periods"`
}

// UsageWindow is the stretch of time a report was limited to.
type UsageWindow struct {
	Start Timestamp `json:"start"`
	End   Timestamp `json:"end"`
}

// UsagePeriod is what was used in one period, by the team or by one key.
type UsagePeriod struct {
	StartDate   *Timestamp `json:"startDate"`
	EndDate     *Timestamp `json:"endDate"`
	CreditsUsed *int64     `json:"creditsUsed,omitempty"`
	TokensUsed  *int64     `json:"tokensUsed,omitempty"`
	APIKey      string     `json:"apiKey,omitempty"` // name of the key
}

// QueueReply answers GET /v2/team/queue-status.
type QueueReply struct {
	Success            bool       `json:"success"`
	JobsInQueue        int        `json:"jobsInQueue"`
	ActiveJobsInQueue  int        `json:"activeJobsInQueue"`
	WaitingJobsInQueue int        `json:"waitingJobsInQueue"`
	MaxConcurrency     int        `json:"maxConcurrency"`
	MostRecentSuccess  *Timestamp `json:"mostRecentSuccess"`
}

// ConcurrencyReply answers GET /v2/concurrency-check.
type ConcurrencyReply struct {
	Success        bool `json:"success"`
	Concurrency    int  `json:"concurrency"`
	MaxConcurrency int  `json:"maxConcurrency"`
}

// ActivityReply answers GET /v2/team/activity. The peer writes it in snake case, so do we.
type ActivityReply struct {
	Success bool            `json:"success"`
	Data    []ActivityEntry `json:"data"`
	Cursor  *string         `json:"cursor"`
	HasMore bool            `json:"has_more"`
}

// ActivityEntry is one request of the last day.
type ActivityEntry struct {
	ID         string    `json:"id"`
	Endpoint   string    `json:"endpoint"`
	APIVersion string    `json:"api_version"`
	CreatedAt  Timestamp `json:"created_at"`
	Target     *string   `json:"target"`
}

// ActivityEndpoints are the values of an entry's endpoint, and of the filter.
var ActivityEndpoints = []string{
	"scrape", "crawl", "batch_scrape", "search", "extract", "llmstxt", "deep_research", "map", "agent", "browser",
	"interact", "alexandria", "parse", "monitor", "gov",
}

// ScrapeReply answers POST /v2/scrape and GET /v2/scrape/{id}.
type ScrapeReply struct {
	Success bool      `json:"success"`
	Data    *Document `json:"data"`
}
