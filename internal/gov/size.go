package gov

import "fmt"

// Size tells at no cost how many documents and passages are in the index.
func (s *Service) Size() (documents, passages int, err error) {
	numbers, err := s.ix.Stats()
	if err != nil {
		return 0, 0, fmt.Errorf("measure government index: %w", err)
	}
	return numbers.Docs, numbers.Passages, nil
}

// Release is the number of the release this node serves; zero: none, it serves
// its own index.
func (s *Service) Release() int64 {
	r, err := s.ix.Reader()
	if err != nil {
		return 0
	}
	defer r.Close()
	number, _ := parseReleaseNote(r.Note(releaseNote))
	return number
}
