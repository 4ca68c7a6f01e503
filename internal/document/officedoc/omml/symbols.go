package omml

import "strings"

// symbols writes text with every special character by its command, set off by
// blanks so that it does not run into the letter after it.
func symbols(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 0x1D400 && r <= 0x1D7FF {
			r = plainLetter(r)
		}
		if command, ok := commands[r]; ok {
			b.WriteString(command)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// plainLetter undoes the italic and bold alphabets that Word sets formulas in.
// Letters come in runs of 52 (A to Z, a to z), digits in runs of 10.
func plainLetter(r rune) rune {
	switch {
	case r < 0x1D6A4:
		n := (r - 0x1D400) % 52
		if n < 26 {
			return 'A' + n
		}
		return 'a' + n - 26
	case r >= 0x1D7CE:
		return '0' + (r-0x1D7CE)%10
	case r >= 0x1D6A8 && r < 0x1D7CA:
		if n := (r - 0x1D6A8) % 58; n < 25 {
			return 'Α' + n
		} else if n > 25 && n < 51 {
			return 'α' + n - 26
		}
	}
	return r
}

var functions = map[string]bool{
	"arccos": true, "arcsin": true, "arctan": true, "cos": true, "cosh": true, "cot": true, "coth": true, "csc": true,
	"deg": true, "det": true, "dim": true, "exp": true, "gcd": true, "inf": true, "ker": true, "lim": true, "ln": true,
	"log": true, "max": true, "min": true, "sec": true, "sin": true, "sinh": true, "sup": true, "tan": true, "tanh": true,
}

var accents = map[string]string{
	"\u0300": `\grave`, "\u0301": `\acute`, "\u0302": `\hat`, "\u0303": `\tilde`, "\u0304": `\bar`, "\u0305": `\overline`,
	"\u0306": `\breve`, "\u0307": `\dot`, "\u0308": `\ddot`, "\u030C": `\check`, "\u20D7": `\vec`, "\u20D6": `\overleftarrow`,
}

var commands = map[rune]string{
	'{': `\{`, '}': `\}`, '#': `\#`, '%': `\%`, '$': `\$`, '&': `\&`, '\u00a0': " ", '\u2061': "", '\u200b': "",
	'\u2009': " ", '\u2003': " ", '−': "-", '–': "-", '∗': "*", '…': ` \ldots `, '⋯': ` \cdots `,
	'±': ` \pm `, '∓': ` \mp `, '×': ` \times `, '÷': ` \div `, '·': ` \cdot `, '⋅': ` \cdot `, '∘': ` \circ `,
	'≤': ` \leq `, '≥': ` \geq `, '≠': ` \neq `, '≈': ` \approx `, '≡': ` \equiv `, '∼': ` \sim `, '≅': ` \cong `,
	'∝': ` \propto `, '≪': ` \ll `, '≫': ` \gg `, '∞': ` \infty `, '∂': ` \partial `, '∇': ` \nabla `, '∀': ` \forall `,
	'∃': ` \exists `, '∈': ` \in `, '∉': ` \notin `, '∋': ` \ni `, '⊂': ` \subset `, '⊃': ` \supset `, '⊆': ` \subseteq `,
	'⊇': ` \supseteq `, '∪': ` \cup `, '∩': ` \cap `, '∅': ` \emptyset `, '∧': ` \wedge `, '∨': ` \vee `, '¬': ` \neg `,
	'→': ` \rightarrow `, '←': ` \leftarrow `, '↔': ` \leftrightarrow `, '⇒': ` \Rightarrow `, '⇐': ` \Leftarrow `,
	'⇔': ` \Leftrightarrow `, '↦': ` \mapsto `, '↑': ` \uparrow `, '↓': ` \downarrow `, '∑': ` \sum `, '∏': ` \prod `,
	'∫': ` \int `, '∬': ` \iint `, '∭': ` \iiint `, '∮': ` \oint `, '√': ` \surd `, '⋃': ` \bigcup `, '⋂': ` \bigcap `, '⋀': ` \bigwedge `, '⋁': ` \bigvee `, '∯': ` \oiint `, '∰': ` \oiiint `,
	'⊕': ` \oplus `, '⊗': ` \otimes `, '⊥': ` \perp `, '∥': ` \parallel `, '‖': ` \| `, '∠': ` \angle `, '°': `^{\circ}`,
	'′': "'", 'ℏ': ` \hbar `, 'ℓ': ` \ell `, 'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`,
	'ℂ': `\mathbb{C}`, '⌊': ` \lfloor `, '⌋': ` \rfloor `, '⌈': ` \lceil `, '⌉': ` \rceil `, '⟨': ` \langle `, '⟩': ` \rangle `,
	'〈': ` \langle `, '〉': ` \rangle `,
	'Γ': ` \Gamma `, 'Δ': ` \Delta `, 'Θ': ` \Theta `, 'Λ': ` \Lambda `, 'Ξ': ` \Xi `, 'Π': ` \Pi `, 'Σ': ` \Sigma `,
	'Φ': ` \Phi `, 'Ψ': ` \Psi `, 'Ω': ` \Omega `, 'α': ` \alpha `, 'β': ` \beta `, 'γ': ` \gamma `, 'δ': ` \delta `,
	'ε': ` \varepsilon `, 'ϵ': ` \epsilon `, 'ζ': ` \zeta `, 'η': ` \eta `, 'θ': ` \theta `, 'ϑ': ` \vartheta `, 'ι': ` \iota `,
	'κ': ` \kappa `, 'λ': ` \lambda `, 'μ': ` \mu `, 'ν': ` \nu `, 'ξ': ` \xi `, 'π': ` \pi `, 'ρ': ` \rho `, 'σ': ` \sigma `,
	'ς': ` \varsigma `, 'τ': ` \tau `, 'υ': ` \upsilon `, 'φ': ` \varphi `, 'ϕ': ` \phi `, 'χ': ` \chi `, 'ψ': ` \psi `, 'ω': ` \omega `,
}
