package trawl

import "time"

// Timestamp is a moment as the wire writes it: ISO 8601, UTC, milliseconds, Z.
type Timestamp time.Time

const timestampLayout = "2006-01-02T15:04:05.000Z"

// String gives the wire form.
func (t Timestamp) String() string { return time.Time(t).UTC().Format(timestampLayout) }

// MarshalText writes the wire form.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads any RFC 3339 time.
func (t *Timestamp) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return err
	}
	*t = Timestamp(parsed)
	return nil
}
