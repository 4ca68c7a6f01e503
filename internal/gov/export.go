package gov

import (
	"context"
	"encoding/json"
	"fmt"
)

// Passages calls f for every passage of every document whose full text is in
// the index, document by document: for exports and for measuring.
func (s *Service) Passages(ctx context.Context, f func(d Document, text string) error) error {
	r, err := s.ix.Reader()
	if err != nil {
		return err
	}
	defer r.Close()
	for h, err := range r.All() {
		if err != nil {
			return err
		}
		var m meta
		if err := json.Unmarshal(h.Meta, &m); err != nil {
			return fmt.Errorf("read meta of %s: %w", h.Key, err)
		}
		if m.URL == "" || m.Listed {
			continue
		}
		for n := 0; ; n++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			text, ok, err := r.Text(h, n)
			if err != nil {
				return fmt.Errorf("read text of %s: %w", h.Key, err)
			}
			if !ok {
				break
			}
			if err := f(m.document(h.Key, h.Words), text); err != nil {
				return err
			}
		}
	}
	return nil
}
