package pdfbench

// tree is an ordered tree for the edit distance.
type tree struct {
	tag      string // with its spans, for cells
	text     string
	compared bool // the text counts
	children []*tree
}

func (t *tree) size() int {
	n := 1
	for _, c := range t.children {
		n += c.size()
	}
	return n
}

// distance is the least number of insertions, deletions and renamings that makes
// a into b, after Zhang and Shasha.
func distance(a, b *tree) float64 {
	x, y := postOrder(a), postOrder(b)
	z := zhangShasha{x: x, y: y, dist: make([][]float64, len(x.nodes)), texts: map[[2]string]float64{}}
	for i := range z.dist {
		z.dist[i] = make([]float64, len(y.nodes))
	}
	for _, i := range x.roots {
		for _, j := range y.roots {
			z.subtrees(i, j)
		}
	}
	return z.dist[len(x.nodes)-1][len(y.nodes)-1]
}

// ordered is a tree in post order.
type ordered struct {
	nodes []*tree
	left  []int // the first leaf below each node
	roots []int // nodes that have a left sibling, and the root
}

func postOrder(t *tree) *ordered {
	o := &ordered{}
	o.add(t)
	seen := map[int]bool{}
	for i := len(o.nodes) - 1; i >= 0; i-- {
		if !seen[o.left[i]] {
			seen[o.left[i]] = true
			o.roots = append([]int{i}, o.roots...)
		}
	}
	return o
}

func (o *ordered) add(t *tree) int {
	first := -1
	for _, c := range t.children {
		leaf := o.add(c)
		if first < 0 {
			first = leaf
		}
	}
	if first < 0 {
		first = len(o.nodes)
	}
	o.nodes = append(o.nodes, t)
	o.left = append(o.left, first)
	return first
}

type zhangShasha struct {
	x, y  *ordered
	dist  [][]float64
	texts map[[2]string]float64
}

func (z *zhangShasha) subtrees(i, j int) {
	li, lj := z.x.left[i], z.y.left[j]
	rows, cols := i-li+2, j-lj+2
	f := make([][]float64, rows)
	for r := range f {
		f[r] = make([]float64, cols)
		f[r][0] = float64(r)
	}
	for c := range f[0] {
		f[0][c] = float64(c)
	}
	for r := 1; r < rows; r++ {
		for c := 1; c < cols; c++ {
			a, b := li+r-1, lj+c-1
			best := min(f[r-1][c]+1, f[r][c-1]+1)
			if z.x.left[a] == li && z.y.left[b] == lj {
				best = min(best, f[r-1][c-1]+z.rename(z.x.nodes[a], z.y.nodes[b]))
				z.dist[a][b] = best
			} else {
				best = min(best, f[z.x.left[a]-li][z.y.left[b]-lj]+z.dist[a][b])
			}
			f[r][c] = best
		}
	}
}

func (z *zhangShasha) rename(a, b *tree) float64 {
	if a.tag != b.tag {
		return 1
	}
	if !a.compared || a.text == b.text {
		return 0
	}
	key := [2]string{a.text, b.text}
	d, ok := z.texts[key]
	if !ok {
		x, y := []rune(a.text), []rune(b.text)
		d = float64(levenshtein(x, y)) / float64(max(len(x), len(y), 1))
		z.texts[key] = d
	}
	return d
}

func levenshtein(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := before
			if x != y {
				cost = min(before, row[j], row[j+1]) + 1
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// commonSubsequence is the length of the longest common subsequence.
func commonSubsequence(a, b []rune) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			best := before + 1
			if x != y {
				best = max(row[j+1], row[j])
			}
			before, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}
