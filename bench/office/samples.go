package officebench

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// sample is a file that is made up for measuring time.
type sample struct {
	kind, export, note string
	body               []byte
}

func samples() []sample {
	return []sample{
		{"docx", "txt:Text", "2,000 paragraphs", textSample(2000)},
		{"xlsx", "csv", "20,000 rows", sheetSample(20_000)},
		{"pptx", "pdf", "100 slides", slideSample(100)},
	}
}

const (
	nsRels    = "http://schemas.openxmlformats.org/package/2006/relationships"
	nsTypes   = "http://schemas.openxmlformats.org/package/2006/content-types"
	nsOffice  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	typesHead = "application/vnd.openxmlformats-officedocument."
)

// pack makes a file of one main part and the parts it refers to, all of one
// type.
func pack(main, mainType, partType, rel string, parts []string, write func(w io.Writer, part string)) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name string, write func(io.Writer)) {
		f, err := z.Create(name)
		if err != nil {
			panic(err) // writes to memory
		}
		write(f)
	}
	dir := main[:strings.LastIndexByte(main, '/')+1]
	add("[Content_Types].xml", func(w io.Writer) {
		fmt.Fprintf(w, `<Types xmlns="%s"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`, nsTypes)
		fmt.Fprintf(w, `<Override PartName="/%s" ContentType="%s%s"/>`, main, typesHead, mainType)
		for _, p := range parts {
			fmt.Fprintf(w, `<Override PartName="/%s%s" ContentType="%s%s"/>`, dir, p, typesHead, partType)
		}
		fmt.Fprint(w, `</Types>`)
	})
	add("_rels/.rels", func(w io.Writer) {
		fmt.Fprintf(w, `<Relationships xmlns="%s"><Relationship Id="r" Type="%s/officeDocument" Target="%s"/></Relationships>`, nsRels, nsOffice, main)
	})
	add(dir+"_rels/"+main[len(dir):]+".rels", func(w io.Writer) {
		fmt.Fprintf(w, `<Relationships xmlns="%s">`, nsRels)
		for i, p := range parts {
			fmt.Fprintf(w, `<Relationship Id="r%d" Type="%s/%s" Target="%s"/>`, i, nsOffice, rel, p)
		}
		fmt.Fprint(w, `</Relationships>`)
	})
	add(main, func(w io.Writer) { write(w, "") })
	for _, p := range parts {
		add(dir+p, func(w io.Writer) { write(w, p) })
	}
	if err := z.Close(); err != nil {
		panic(err) // writes to memory
	}
	return out.Bytes()
}

const sentence = "The harbour lies at the end of a long road and nobody comes here in winter."

func textSample(paragraphs int) []byte {
	return pack("word/document.xml", "wordprocessingml.document.main+xml", "", "", nil, func(w io.Writer, _ string) {
		fmt.Fprint(w, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
		for i := range paragraphs {
			fmt.Fprintf(w, `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>%d.</w:t></w:r><w:r><w:t xml:space="preserve"> %s</w:t></w:r></w:p>`, i, sentence)
		}
		fmt.Fprint(w, `</w:body></w:document>`)
	})
}

const sheetColumns = 5

func sheetSample(rows int) []byte {
	const ns = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	return pack("xl/workbook.xml", "spreadsheetml.sheet.main+xml", "spreadsheetml.worksheet+xml", "worksheet", []string{"sheet.xml"},
		func(w io.Writer, part string) {
			if part == "" {
				fmt.Fprintf(w, `<workbook xmlns="%s" xmlns:r="%s"><sheets><sheet name="Data" sheetId="1" r:id="r0"/></sheets></workbook>`, ns, nsOffice)
				return
			}
			fmt.Fprintf(w, `<worksheet xmlns="%s"><sheetData>`, ns)
			for r := 1; r <= rows; r++ {
				fmt.Fprintf(w, `<row r="%d">`, r)
				for c := range sheetColumns {
					if c%2 == 0 {
						fmt.Fprintf(w, `<c r="%c%d"><v>%d</v></c>`, 'A'+c, r, r*(c+7))
					} else {
						fmt.Fprintf(w, `<c r="%c%d" t="inlineStr"><is><t>item %d</t></is></c>`, 'A'+c, r, r)
					}
				}
				fmt.Fprint(w, `</row>`)
			}
			fmt.Fprint(w, `</sheetData></worksheet>`)
		})
}

func slideSample(slides int) []byte {
	const ns = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="` + nsOffice + `"`
	var parts []string
	for i := range slides {
		parts = append(parts, fmt.Sprintf("slide%d.xml", i))
	}
	return pack("ppt/presentation.xml", "presentationml.presentation.main+xml", "presentationml.slide+xml", "slide", parts,
		func(w io.Writer, part string) {
			if part == "" {
				fmt.Fprintf(w, `<p:presentation %s><p:sldIdLst>`, ns)
				for i := range slides {
					fmt.Fprintf(w, `<p:sldId id="%d" r:id="r%d"/>`, 256+i, i)
				}
				fmt.Fprint(w, `</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`)
				return
			}
			fmt.Fprintf(w, `<p:sld %s><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>`, ns)
			for i := range 10 {
				fmt.Fprintf(w, `<p:sp><p:nvSpPr><p:cNvPr id="%d" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>%s</a:t></a:r></a:p></p:txBody></p:sp>`, i+2, sentence)
			}
			fmt.Fprint(w, `</p:spTree></p:cSld></p:sld>`)
		})
}
