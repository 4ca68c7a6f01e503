package index

// Query says what to look for and how the parts of a document count.
type Query struct {
	// Groups are the things asked for. A group is a word and others that may
	// stand for it; a document gets the best of them, not their sum.
	Groups []Group
	// Fields weigh the short fields, in the order of the Schema.
	Fields []Weight
	// Body weighs the document's own passages taken together.
	Body Weight
	// About weighs what passages of other documents say about this one.
	About Weight
	// BestPassage and BestAbout are added times the score of the best single
	// passage, own or about the document.
	BestPassage, BestAbout float64
	// Common, if not zero, is the share of documents above which a word is looked
	// for in the short fields only, provided a few rarer ones are asked for: the
	// longest lists cost most and tell least.
	Common float64
	// Boosts multiply the score of documents that have a label.
	Boosts []Boost
	// Limit is the number of hits wanted; zero means 100.
	Limit int
}

// Group is a word asked for with its alternatives.
type Group []Word

// Word is a term of the index and its weight; 1 is the plain word.
type Word struct {
	Term   string
	Weight float64
}

// Weight says how a part of a document counts.
type Weight struct {
	Times float64 // how much, against 1 for the body
	B     float64 // how far its length is evened out: 0 not at all, 1 fully
	// Apart says that occurrences in a field count beside those elsewhere. By
	// default all occurrences of a word are added up first, and past a few of
	// them one more in the heading changes little.
	Apart bool
}

// Boost multiplies the score of documents with a label.
type Boost struct {
	Label string
	Times float64
}

// Hit is a document found.
type Hit struct {
	Key      string
	Meta     []byte
	Words    int     // length of the body
	Score    float64 // all in all; the parts follow
	Fielded  float64 // BM25F over fields, body and what others say
	Best     float64 // of the best own passage
	About    float64 // of the best passage about it
	Covered  float64 // share of what was asked for that occurs at all, 0..1
	Passages []PassageHit

	segment int
	doc     uint32
}

// PassageHit is an own passage of a hit with its score.
type PassageHit struct {
	Score   float64
	segment int
	passage uint32
}

// The saturation of BM25, for documents and for passages, and the length
// evening of passages: the customary values, with less evening for passages,
// which are nearly of one length anyway.
const (
	docK1     = 1.2
	passageK1 = 1.0
	passageB  = 0.4
)
