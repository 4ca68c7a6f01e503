package cfb

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// Summary is what a file says about itself; what it does not say is empty.
type Summary struct {
	Title, Subject, Author, Keywords, Comments string
	Created, Saved                             time.Time
}

// Property numbers of the summary stream, and the types of values read here.
const (
	propCodePage = 1
	propTitle    = 2
	propSubject  = 3
	propAuthor   = 4
	propKeywords = 5
	propComments = 6
	propCreated  = 12
	propSaved    = 13

	typeInt16    = 2
	typeANSI     = 30
	typeUnicode  = 31
	typeFileTime = 64
	utf8CodePage = 65001
)

// Summary reads the summary stream; a file without one says nothing.
func (f *File) Summary() Summary {
	b, err := f.Stream("\x05SummaryInformation")
	if err != nil || len(b) < 48 {
		return Summary{}
	}
	section := binary.LittleEndian.Uint32(b[44:])
	if int64(section)+8 > int64(len(b)) {
		return Summary{}
	}
	return readProperties(b[section:])
}

func readProperties(section []byte) Summary {
	var about Summary
	count := min(binary.LittleEndian.Uint32(section[4:]), 256)
	codePage := 1252
	for i := range int(count) {
		at := 8 + 8*i
		if at+8 > len(section) {
			break
		}
		id := binary.LittleEndian.Uint32(section[at:])
		offset := binary.LittleEndian.Uint32(section[at+4:])
		if int64(offset)+8 > int64(len(section)) {
			continue
		}
		value := section[offset:]
		if id == propCodePage && binary.LittleEndian.Uint32(value) == typeInt16 {
			codePage = int(binary.LittleEndian.Uint16(value[4:]))
			continue
		}
		set(&about, id, value, codePage)
	}
	return about
}

func set(about *Summary, id uint32, value []byte, codePage int) {
	switch id {
	case propTitle:
		about.Title = textValue(value, codePage)
	case propSubject:
		about.Subject = textValue(value, codePage)
	case propAuthor:
		about.Author = textValue(value, codePage)
	case propKeywords:
		about.Keywords = textValue(value, codePage)
	case propComments:
		about.Comments = textValue(value, codePage)
	case propCreated:
		about.Created = timeValue(value)
	case propSaved:
		about.Saved = timeValue(value)
	}
}

func textValue(value []byte, codePage int) string {
	size := int64(binary.LittleEndian.Uint32(value[4:]))
	raw := value[8:]
	switch binary.LittleEndian.Uint32(value) {
	case typeANSI:
		raw = raw[:min(size, int64(len(raw)))]
		if codePage == utf8CodePage {
			return trimmed(string(raw))
		}
		text, err := charmap.Windows1252.NewDecoder().Bytes(raw)
		if err != nil {
			return ""
		}
		return trimmed(string(text))
	case typeUnicode:
		units := make([]uint16, min(size, int64(len(raw)/2)))
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(raw[2*i:])
		}
		return trimmed(string(utf16.Decode(units)))
	}
	return ""
}

func trimmed(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return strings.TrimSpace(s)
}

// timeValue reads a count of 100 ns since 1601.
func timeValue(value []byte) time.Time {
	const toUnix = 11644473600
	if binary.LittleEndian.Uint32(value) != typeFileTime || len(value) < 12 {
		return time.Time{}
	}
	ticks := binary.LittleEndian.Uint64(value[4:])
	if ticks == 0 || ticks > 1<<62 {
		return time.Time{}
	}
	return time.Unix(int64(ticks/10_000_000)-toUnix, 0).UTC()
}
