package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

// mathML reads presentation MathML back as TeX. It knows the elements that
// change the meaning of a formula; what it does not know it reads as a row.
func mathML(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	parts := mathParts(n)
	arg := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch n.Data {
	case "mfrac":
		return `\frac{` + arg(0) + `}{` + arg(1) + `}`
	case "msup", "mover":
		return script(arg(0), "^", arg(1))
	case "msub", "munder":
		return script(arg(0), "_", arg(1))
	case "msubsup", "munderover":
		return script(script(arg(0), "_", arg(1)), "^", arg(2))
	case "msqrt":
		return `\sqrt{` + strings.Join(parts, " ") + `}`
	case "mroot":
		return `\sqrt[` + arg(1) + `]{` + arg(0) + `}`
	case "mfenced":
		return `\left(` + strings.Join(parts, ", ") + `\right)`
	case "mtable":
		return `\begin{matrix} ` + strings.Join(parts, ` \\ `) + ` \end{matrix}`
	case "mtr", "mlabeledtr":
		return strings.Join(parts, " & ")
	case "mtext", "ms":
		return `\text{` + strings.TrimSpace(textOf(n)) + `}`
	case "mi", "mn", "mo":
		return symbol(strings.TrimSpace(textOf(n)))
	case "annotation", "annotation-xml", "mspace", "mphantom":
		return ""
	case "semantics":
		return arg(0)
	}
	return strings.Join(parts, " ")
}

func mathParts(n *html.Node) []string {
	var parts []string
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if s := mathML(child); s != "" || child.Type == html.ElementNode && n.Data != "math" && n.Data != "mrow" {
			parts = append(parts, s)
		}
	}
	return parts
}

func script(base, mark, s string) string {
	if s == "" {
		return base
	}
	if len([]rune(s)) == 1 {
		return base + mark + s
	}
	return base + mark + "{" + s + "}"
}

// symbol names an operator or letter that TeX writes as a command.
func symbol(s string) string {
	if name, ok := texNames[s]; ok {
		return name
	}
	return s
}

var texNames = map[string]string{
	"∑": `\sum`, "∏": `\prod`, "∫": `\int`, "∞": `\infty`, "√": `\sqrt`, "∂": `\partial`, "∇": `\nabla`,
	"≤": `\leq`, "≥": `\geq`, "≠": `\neq`, "≈": `\approx`, "≡": `\equiv`, "∼": `\sim`, "∝": `\propto`,
	"×": `\times`, "⋅": `\cdot`, "·": `\cdot`, "÷": `\div`, "±": `\pm`, "∓": `\mp`, "∘": `\circ`,
	"∈": `\in`, "∉": `\notin`, "⊂": `\subset`, "⊆": `\subseteq`, "∪": `\cup`, "∩": `\cap`, "∅": `\emptyset`,
	"∀": `\forall`, "∃": `\exists`, "¬": `\neg`, "∧": `\land`, "∨": `\lor`, "→": `\to`, "⇒": `\Rightarrow`,
	"←": `\leftarrow`, "⇔": `\Leftrightarrow`, "↦": `\mapsto`, "…": `\ldots`, "⋯": `\cdots`, "{": `\{`, "}": `\}`,
	"α": `\alpha`, "β": `\beta`, "γ": `\gamma`, "δ": `\delta`, "ε": `\epsilon`, "ζ": `\zeta`, "η": `\eta`,
	"θ": `\theta`, "ι": `\iota`, "κ": `\kappa`, "λ": `\lambda`, "μ": `\mu`, "ν": `\nu`, "ξ": `\xi`, "π": `\pi`,
	"ρ": `\rho`, "σ": `\sigma`, "τ": `\tau`, "υ": `\upsilon`, "φ": `\phi`, "χ": `\chi`, "ψ": `\psi`, "ω": `\omega`,
	"Γ": `\Gamma`, "Δ": `\Delta`, "Θ": `\Theta`, "Λ": `\Lambda`, "Ξ": `\Xi`, "Π": `\Pi`, "Σ": `\Sigma`,
	"Φ": `\Phi`, "Ψ": `\Psi`, "Ω": `\Omega`, "ℝ": `\mathbb{R}`, "ℕ": `\mathbb{N}`, "ℤ": `\mathbb{Z}`,
	"\u2061": "", "\u2062": "", "\u2063": "", "\u00a0": " ",
}
