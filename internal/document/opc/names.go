package opc

import "github.com/trawlhq/trawl/internal/document/xmlpull"

const (
	transitional = "http://schemas.openxmlformats.org/"
	strict       = "http://purl.oclc.org/ooxml/"
)

// Names are the prefixes that the readers of these files use. Both editions of
// the standard, transitional and strict, come out alike.
var Names = xmlpull.Names{
	transitional + "wordprocessingml/2006/main":                               "w",
	strict + "wordprocessingml/main":                                          "w",
	transitional + "spreadsheetml/2006/main":                                  "",
	strict + "spreadsheetml/main":                                             "",
	transitional + "presentationml/2006/main":                                 "p",
	strict + "presentationml/main":                                            "p",
	transitional + "drawingml/2006/main":                                      "a",
	strict + "drawingml/main":                                                 "a",
	transitional + "drawingml/2006/wordprocessingDrawing":                     "wp",
	strict + "drawingml/wordprocessingDrawing":                                "wp",
	transitional + "drawingml/2006/spreadsheetDrawing":                        "xdr",
	strict + "drawingml/spreadsheetDrawing":                                   "xdr",
	transitional + "drawingml/2006/picture":                                   "pic",
	strict + "drawingml/picture":                                              "pic",
	transitional + "drawingml/2006/chart":                                     "c",
	strict + "drawingml/chart":                                                "c",
	transitional + "drawingml/2006/diagram":                                   "dgm",
	strict + "drawingml/diagram":                                              "dgm",
	"http://schemas.microsoft.com/office/drawing/2008/diagram":                "dsp",
	"http://schemas.microsoft.com/office/drawing/2014/chartex":                "cx",
	transitional + "officeDocument/2006/relationships":                        "r",
	strict + "officeDocument/relationships":                                   "r",
	transitional + "officeDocument/2006/math":                                 "m",
	strict + "officeDocument/math":                                            "m",
	transitional + "markup-compatibility/2006":                                "mc",
	transitional + "package/2006/relationships":                               "",
	transitional + "package/2006/content-types":                               "",
	transitional + "package/2006/metadata/core-properties":                    "cp",
	transitional + "officeDocument/2006/extended-properties":                  "ep",
	strict + "officeDocument/extendedProperties":                              "ep",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingShape":       "wps",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup":       "wpg",
	"http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments": "",
	"urn:schemas-microsoft-com:vml":                                           "v",
	"urn:schemas-microsoft-com:office:office":                                 "o",
	"http://purl.org/dc/elements/1.1/":                                        "dc",
	"http://purl.org/dc/terms/":                                               "dcterms",
}
