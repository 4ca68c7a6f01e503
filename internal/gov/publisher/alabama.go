package publisher

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

// The Code of Alabama: answers of the legislature's GraphQL service, a thousand
// sections each, and the table of what lies under what.

func matchAlabama(name, head string) bool {
	return hasExt(name, ".json") && (strings.Contains(head, `"codesOfAlabama"`) || strings.Contains(head, `"scaffold"`))
}

type alabamaNode struct {
	CodeID    string `json:"codeId"`
	ParentID  string `json:"parentId"`
	DisplayID string `json:"displayId"`
	Content   string `json:"content"`
	Title     string `json:"title"`
	Effective string `json:"effectiveDate"`
	Type      string `json:"type"`
}

type alabamaPage struct {
	Data struct {
		Codes struct {
			Data []alabamaNode `json:"data"`
		} `json:"codesOfAlabama"`
	} `json:"data"`
}

func readAlabama(s *source, files []string) error {
	headings := make(map[string]alabamaNode) // nodes that are no sections, by codeId
	for _, name := range files {
		err := alabamaNodes(s, name, func(n alabamaNode) error {
			if n.Type != "Section" {
				n.Content = ""
				headings[n.CodeID] = n
			}
			return nil
		})
		if err := s.survive(name, err); err != nil {
			return err
		}
	}
	for _, name := range files {
		err := alabamaNodes(s, name, func(n alabamaNode) error {
			return s.put(alabamaUnit(n, headings))
		})
		if err := s.survive(name, err); err != nil {
			return err
		}
	}
	return nil
}

func alabamaNodes(s *source, name string, f func(alabamaNode) error) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	var page alabamaPage
	if err := json.Unmarshal(body, &page); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	for _, n := range page.Data.Codes.Data {
		if err := f(n); err != nil {
			return err
		}
	}
	return nil
}

func alabamaUnit(n alabamaNode, headings map[string]alabamaNode) Unit {
	if n.DisplayID == "" || n.Type != "Section" {
		return Unit{}
	}
	u := Unit{
		Key: "al/" + strings.ToLower(n.DisplayID), URL: "https://alison.legislature.state.al.us/code-of-alabama?section=" + n.DisplayID,
		Citation: "Ala. Code § " + n.DisplayID, Heading: afterNumber(n.Title, n.DisplayID), Jurisdiction: "us-al",
		Type: "statute", Edition: "5", Date: firstDate(n.Effective), Path: []string{"Code of Alabama"},
	}
	var above []string
	for id, steps := n.ParentID, 0; id != "" && steps < 10; steps++ {
		parent, ok := headings[id]
		if !ok {
			break
		}
		above = append([]string{parent.Title}, above...)
		id = parent.ParentID
	}
	u.Path = append(u.Path, above...)
	u.Text = htmlText(n.Content)
	u.Names = dedupe(namesIn(u.Text))
	return u
}
