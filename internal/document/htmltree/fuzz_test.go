package htmltree

import (
	"testing"
)

// FuzzParse holds pages and fragments against the oracle. Finds are kept under
// testdata/fuzz and run with every test.
func FuzzParse(f *testing.F) {
	for _, family := range tagFamilies {
		for _, name := range family {
			f.Add("<"+name+" a=1>x</"+name+">y", uint8(0))
		}
	}
	for i, s := range texts {
		f.Add("<p>"+s+"<table>"+s+"<svg>"+s, uint8(i))
	}
	for _, s := range attributes {
		f.Add("<svg "+s+"><p "+s+"/><b "+s+">", uint8(2))
	}
	for seed := range uint64(100) {
		f.Add(newSloppy(seed).page(20), uint8(seed))
	}
	around := contexts()
	f.Fuzz(func(t *testing.T, page string, context uint8) {
		agree(t, page)
		agreeInside(t, page, around[int(context)%len(around)])
	})
}
