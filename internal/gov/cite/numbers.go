package cite

import (
	"strconv"
	"strings"
)

var smallNumbers = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
	"seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
	"sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21,
	"twenty-second": 22, "twenty-third": 23, "twenty-fourth": 24, "twenty-fifth": 25, "twenty-sixth": 26,
	"twenty-seventh": 27,
}

// spellOut turns number words that follow "section" or "title" into figures:
// "section seventeen hundred two of title eighteen".
func spellOut(text string) string {
	if !strings.Contains(text, "section") && !strings.Contains(text, "title") {
		return text
	}
	words := strings.Split(text, " ")
	var out []string
	for i := 0; i < len(words); i++ {
		out = append(out, words[i])
		if words[i] != "section" && words[i] != "title" {
			continue
		}
		if n, used := readNumber(words[i+1:]); used > 0 {
			out = append(out, strconv.Itoa(n))
			i += used
		}
	}
	return strings.Join(out, " ")
}

// readNumber reads a number in words and says how many words it took.
func readNumber(words []string) (n, used int) {
	total, current := 0, 0
	for _, w := range words {
		switch small := compound(strings.Trim(w, ",")); {
		case small > 0:
			current += small
		case w == "hundred" && current > 0:
			current *= 100
		case w == "thousand" && current > 0:
			total, current = total+current*1000, 0
		case w == "and" && used > 0 && used < len(words)-1 && compound(words[used+1]) > 0:
		default:
			return total + current, used
		}
		used++
	}
	return total + current, used
}

// compound reads one word such as "six" or "twenty-six".
func compound(w string) int {
	if n := smallNumbers[w]; n > 0 {
		return n
	}
	tens, unit, ok := strings.Cut(w, "-")
	if ok && smallNumbers[tens] >= 20 && smallNumbers[unit] > 0 && smallNumbers[unit] < 10 {
		return smallNumbers[tens] + smallNumbers[unit]
	}
	return 0
}

// ordinal reads an amendment's or article's number: "fourth", "14th", "xiv", "4".
func ordinal(s string) int {
	s = strings.ToLower(strings.TrimSpace(s))
	if n := ordinals[strings.ReplaceAll(s, " ", "-")]; n > 0 {
		return n
	}
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if n, err := strconv.Atoi(strings.TrimSuffix(s, suffix)); err == nil {
			return n
		}
	}
	return Roman(s)
}

// Roman reads a Roman numeral; zero if it is none.
func Roman(s string) int {
	values := map[byte]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100}
	s = strings.ToLower(s)
	total := 0
	for i := range len(s) {
		v := values[s[i]]
		if v == 0 {
			return 0
		}
		if i+1 < len(s) && values[s[i+1]] > v {
			v = -v
		}
		total += v
	}
	return total
}
