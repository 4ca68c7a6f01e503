package chart

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const (
	chartNames   = `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"`
	diagramNames = `xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"`
)

func tree(xml string) *xmlpull.Node { return xmlpull.New(strings.NewReader(xml), opc.Names).Root() }

func render(t *testing.T, nodes []*html.Node) string {
	t.Helper()
	var b strings.Builder
	for _, n := range nodes {
		if err := html.Render(&b, n); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func plot(area string) string {
	return `<c:chartSpace ` + chartNames + `><c:chart><c:plotArea>` + area + `</c:plotArea></c:chart></c:chartSpace>`
}

// series is a series of two values with its name and categories.
const series = `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Boats</c:v></c:pt></c:strCache></c:strRef></c:tx>` +
	`<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat>` +
	`<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4.4000000000000004</c:v></c:pt><c:pt idx="1"><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`

func TestChartsAreTablesThatSayHowTheyWereDrawn(t *testing.T) {
	const rows = `<tbody><tr><th></th><th>Boats</th></tr><tr><td>May</td><td>4.4</td></tr><tr><td>June</td><td>7</td></tr></tbody></table>`
	for _, tc := range []struct{ name, xml, want string }{
		{"bars", plot(`<c:barChart>` + series + `</c:barChart>`), `<table><caption>Bar chart</caption>` + rows},
		{"bars in three dimensions", plot(`<c:bar3DChart>` + series + `</c:bar3DChart>`), `<table><caption>Bar chart</caption>` + rows},
		{"a way of drawing nobody has heard of", plot(`<c:cloudChart>` + series + `</c:cloudChart>`), `<table>` + rows},
		{"x and y", plot(`<c:scatterChart>` + strings.NewReplacer("c:cat>", "c:xVal>", "c:val>", "c:yVal>").Replace(series) + `</c:scatterChart>`),
			`<table><caption>Scatter chart</caption>` + rows},
		{"nothing in it", plot(``), ``},
		{"no chart", `<c:chartSpace ` + chartNames + `/>`, ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := render(t, Blocks(tree(tc.xml))); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestNewerChartsAreTablesToo(t *testing.T) {
	space := func(data, chart string) string {
		return `<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData>` + data + `</cx:chartData><cx:chart>` + chart + `</cx:chart></cx:chartSpace>`
	}
	const levels = `<cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Cod</cx:pt><cx:pt idx="1">Eel</cx:pt></cx:lvl><cx:lvl><cx:pt idx="0">Sea</cx:pt><cx:pt idx="1">River</cx:pt></cx:lvl></cx:strDim>`
	const numbers = `<cx:numDim type="val"><cx:lvl><cx:pt idx="0">4.4000000000000004</cx:pt><cx:pt idx="1">-2</cx:pt></cx:lvl></cx:numDim>`
	const area = `<cx:title><cx:tx><cx:txData><cx:v>Catch</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Tons</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series><cx:series layoutId="paretoLine"><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea>`
	for _, tc := range []struct{ name, xml, want string }{
		{"categories in levels, the coarsest first", space(`<cx:data id="0">`+levels+numbers+`</cx:data>`, area),
			`<p>Catch</p><table><caption>Waterfall chart</caption><tbody><tr><th></th><th></th><th>Tons</th></tr><tr><td>Sea</td><td>Cod</td><td>4.4</td></tr><tr><td>River</td><td>Eel</td><td>-2</td></tr></tbody></table>`},
		{"values that are missing", space(``, area), `<p>Catch</p>`},
		{"nothing in it", space(``, ``), ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := render(t, Blocks(tree(tc.xml))); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestTheTitleOfAChartStandsAboveIt(t *testing.T) {
	xml := `<c:chartSpace ` + chartNames + `><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Harbour </a:t></a:r><a:r><a:t>traffic</a:t></a:r></a:p></c:rich></c:tx></c:title>` +
		`<c:plotArea><c:pieChart>` + series + `</c:pieChart></c:plotArea></c:chart></c:chartSpace>`
	if got := render(t, Blocks(tree(xml))); !strings.HasPrefix(got, "<p>Harbour traffic</p><table><caption>Pie chart</caption>") {
		t.Errorf("got %s", got)
	}
}

func point(id, kind, text string) string {
	return `<dgm:pt modelId="` + id + `" type="` + kind + `"><dgm:t><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></dgm:t></dgm:pt>`
}

func connect(from, to, order string) string {
	return `<dgm:cxn srcId="` + from + `" destId="` + to + `" srcOrd="` + order + `"/>`
}

func TestDiagramsKeepTheirOrderAndDepth(t *testing.T) {
	data := func(points, connections string) string {
		return `<dgm:dataModel ` + diagramNames + `><dgm:ptLst>` + point("d", "doc", "") + points + `</dgm:ptLst><dgm:cxnLst>` + connections +
			`<dgm:cxn type="presOf" srcId="a" destId="x" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>`
	}
	abc := point("a", "node", "Sail") + point("t", "parTrans", "") + point("b", "node", "Row") + point("c", "node", "Wait")
	for _, tc := range []struct{ name, xml, want string }{
		{"side by side, in their order and not in that of the file", data(abc, connect("d", "c", "2")+connect("d", "a", "0")+connect("d", "b", "1")),
			`<ul><li>Sail</li><li>Row</li><li>Wait</li></ul>`},
		{"others below", data(abc, connect("d", "a", "0")+connect("a", "b", "0")+connect("d", "c", "1")),
			`<p><strong>Sail</strong></p><ul><li>Row</li></ul><p><strong>Wait</strong></p>`},
		{"three deep", data(abc+point("e", "asst", "Call"), connect("d", "a", "0")+connect("a", "b", "0")+connect("b", "c", "1")+connect("b", "e", "0")),
			`<p><strong>Sail</strong></p><ul><li>Row<ul><li>Call</li><li>Wait</li></ul></li></ul>`},
		{"points that nothing is connected to", data(abc, connect("d", "a", "0")), `<ul><li>Sail</li><li>Row</li><li>Wait</li></ul>`},
		{"a circle", data(abc, connect("d", "a", "0")+connect("a", "b", "0")+connect("b", "a", "0")+connect("d", "c", "1")),
			`<p><strong>Sail</strong></p><ul><li>Row</li></ul><p><strong>Wait</strong></p>`},
		{"no points", data("", ""), ``},
		{"no diagram", ``, ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := render(t, Diagram(tree(tc.xml))); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func FuzzDiagram(f *testing.F) {
	f.Add(`<dgm:dataModel ` + diagramNames + `><dgm:ptLst>` + point("d", "doc", "") + point("a", "", "x") + `</dgm:ptLst><dgm:cxnLst>` +
		connect("d", "a", "0") + `</dgm:cxnLst></dgm:dataModel>`)
	f.Add(`<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData><cx:data id="0"><cx:numDim><cx:lvl><cx:pt idx="0">1</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:series><cx:dataId val="0"/></cx:series></cx:chart></cx:chartSpace>`)
	f.Add(plot(`<c:barChart>` + series + `</c:barChart>`))
	f.Fuzz(func(_ *testing.T, xml string) {
		Diagram(tree(xml))
		Blocks(tree(xml))
	})
}
