package omml

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

func TestFormulas(t *testing.T) {
	r := func(s string) string { return "<m:r><m:t>" + s + "</m:t></m:r>" }
	for _, tc := range []struct{ name, in, want string }{
		{"letters and symbols", r("A=πr"), `A= \pi r`},
		{"letters of the mathematical alphabets", r("𝑥𝟐"), "x2"},
		{"a power", "<m:sSup><m:e>" + r("x") + "</m:e><m:sup>" + r("2") + "</m:sup></m:sSup>", "x^{2}"},
		{"a power of a fraction", "<m:sSup><m:e><m:f><m:num>" + r("a") + "</m:num><m:den>" + r("b") + "</m:den></m:f></m:e><m:sup>" + r("2") + "</m:sup></m:sSup>", `{\frac{a}{b}}^{2}`},
		{"both scripts", "<m:sSubSup><m:e>" + r("x") + "</m:e><m:sub>" + r("i") + "</m:sub><m:sup>" + r("2") + "</m:sup></m:sSubSup>", "x_{i}^{2}"},
		{"a binomial", `<m:d><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>` + r("n") + "</m:num><m:den>" + r("k") + "</m:den></m:f></m:e></m:d>", `\left(\genfrac{}{}{0pt}{}{n}{k}\right)`},
		{"a root", `<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/><m:e>` + r("x") + "</m:e></m:rad>", `\sqrt{x}`},
		{"a cube root", `<m:rad><m:deg>` + r("3") + "</m:deg><m:e>" + r("x") + "</m:e></m:rad>", `\sqrt[3]{x}`},
		{"a sum", `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>` + r("1") + "</m:sub><m:sup>" + r("n") + "</m:sup><m:e>" + r("x") + "</m:e></m:nary>", `\sum_{1}^{n}x`},
		{"an integral without limits", `<m:nary><m:sub/><m:sup/><m:e>` + r("x") + "</m:e></m:nary>", `\int x`},
		{"a function", "<m:func><m:fName>" + r("sin") + "</m:fName><m:e>" + r("x") + "</m:e></m:func>", `\sin{x}`},
		{"a matrix", "<m:m><m:mr><m:e>" + r("a") + "</m:e><m:e>" + r("b") + "</m:e></m:mr></m:m>", `\begin{matrix}a & b\end{matrix}`},
		{"an accent", `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr><m:e>` + r("v") + "</m:e></m:acc>", `\vec{v}`},
		{"something unknown", "<m:new>" + r("x") + "</m:new>", "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := xmlpull.New(strings.NewReader("<m:oMath>"+tc.in+"</m:oMath>"), nil).Root()
			if got := TeX(root); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}
