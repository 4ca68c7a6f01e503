package gov

// weights are the numbers of ranking, swept by type over the developer queries
// of bench/gov. Those without another word are shares of the best score among
// the candidates, so they mean the same for short and long queries.
type weights struct {
	candidates int     // documents looked at closely
	common     float64 // words in a greater share of documents count in headings and the like only

	heading, names, path, citation float64 // of the short fields, against 1 for the body
	headingB, bodyB                float64 // how far their length is evened out
	about, aboutB                  float64 // what other documents say about this one
	bestPassage, bestAbout         float64 // the best single passage, own or about it

	named     float64 // a name in the query stands for the document, says the finding list
	bearsName float64 // the document bears a name of the query itself
	asked     float64 // people ask for the document in these very words, says the finding list
	authority float64 // per doubling of the documents that cite it
	coverage  float64 // all that was asked for occurs
	closeness float64 // the words of the query stand together as they do in it

	opinionForQuestion float64 // factor of opinions, when someone asks what they may or must do
	opinionElsewhere   float64 // the same when they ask about a state: the opinions are federal
	inPlace            float64 // factor of documents of the jurisdiction named
	elsewhere          float64 // factor of other states when one is named
	stateUnasked       float64 // factor of state law when no place is named
	localUnasked       float64 // factor of local law when no place is named
	definitions        float64 // factor of sections that only define words, unless a meaning is asked for
	minorTypes         float64 // factor of notices, compilations and session laws
}

func defaultWeights() weights {
	return weights{
		candidates: 150, common: 0.1,
		heading: 1.3, names: 1.5, path: 1, citation: 1, headingB: 0.5, bodyB: 0.6, about: 0.7, aboutB: 0.8,
		bestPassage: 0.75, bestAbout: 0.5,
		named: 0.8, bearsName: 0.35, asked: 0.5, authority: 0.02, coverage: 0.35, closeness: 0.15,
		opinionForQuestion: 0.75, opinionElsewhere: 0.5, inPlace: 2.2, elsewhere: 0.6, stateUnasked: 0.95, localUnasked: 0.7,
		minorTypes: 0.95, definitions: 0.8,
	}
}

// citedFirst puts a document cited in the query before all others.
const citedFirst = 1000.0
