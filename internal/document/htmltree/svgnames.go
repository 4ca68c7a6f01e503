package htmltree

import "strings"

// SVG tells capitals apart. These names are the ones that have any; the page's
// own spelling of them was lost when the tag was read.
var (
	svgNames = byLowerCase(`altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend
		feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
		feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
		fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
		radialGradient textPath`)

	svgKeys = byLowerCase(`attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant
		edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines
		keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits
		numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ
		preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions
		requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles
		surfaceScale systemLanguage tableValues targetX targetY textLength viewBox viewTarget xChannelSelector
		yChannelSelector zoomAndPan`)
)

func byLowerCase(names string) map[string]string {
	table := map[string]string{}
	for name := range strings.FieldsSeq(names) {
		table[strings.ToLower(name)] = name
	}
	return table
}
