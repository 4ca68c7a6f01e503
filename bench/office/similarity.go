package officebench

import "math/bits"

// similarity is 2·LCS / (len a + len b) over characters: 1 for equal texts, 0
// for texts without a character in common.
func similarity(a, b string) float64 {
	ra, rb := []rune(a), []rune(b)
	if len(ra)+len(rb) == 0 {
		return 1
	}
	return 2 * float64(commonSubsequence(ra, rb)) / float64(len(ra)+len(rb))
}

// commonSubsequence gives the length of the longest common subsequence. It
// keeps one bit for each character of a, so that a row of the usual table is a
// few machine words: V' = (V + (V & M)) | (V & ^M), and the answer is the
// number of bits that fell to zero.
func commonSubsequence(a, b []rune) int {
	words := (len(a) + 63) / 64
	masks := map[rune][]uint64{}
	for i, r := range a {
		if masks[r] == nil {
			masks[r] = make([]uint64, words)
		}
		masks[r][i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, r := range b {
		mask := masks[r]
		if mask == nil {
			continue
		}
		carry := uint64(0)
		for i := range v {
			hit := v[i] & mask[i]
			var sum uint64
			sum, carry = bits.Add64(v[i], hit, carry)
			v[i] = sum | v[i]&^mask[i]
		}
	}
	zeros := 0
	for i := range v {
		word := ^v[i]
		if i == words-1 && len(a)%64 != 0 {
			word &= 1<<(len(a)%64) - 1
		}
		zeros += bits.OnesCount64(word)
	}
	return zeros
}
