package explorer

import (
	"fmt"
	"html/template"
	"strings"
)

// Size of a chart in its own units.
const (
	chartWidth  = 600
	chartHeight = 80
)

// chart is a line over blocks, oldest left.
type chart struct {
	Title, Unit string
	W, H        int
	Low, High   uint64
	First, Last uint64 // heights
	Now         uint64
	Empty       bool
	Points      template.HTMLAttr // of a polyline
	BarWidth    string
	Bars        []bar // instead of a polyline
}

type bar struct {
	X, Y, H string
	Title   string
}

// lineChart draws a value of blocks given newest first.
func lineChart(title, unit string, blocks []summary, value func(summary) uint64) chart {
	c := chart{Title: title, Unit: unit, W: chartWidth, H: chartHeight, Empty: len(blocks) < 2}
	if len(blocks) == 0 {
		return c
	}
	c.bounds(blocks, value)
	span := max(c.High-c.Low, 1)
	var b strings.Builder
	for i := range blocks {
		v := value(blocks[len(blocks)-1-i])
		x := float64(i) * chartWidth / float64(max(len(blocks)-1, 1))
		y := chartHeight - 4 - float64(v-c.Low)*(chartHeight-8)/float64(span)
		if c.Low == c.High {
			y = chartHeight / 2
		}
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	c.Points = template.HTMLAttr(`points="` + strings.TrimSpace(b.String()) + `"`)
	return c
}

// barChart draws a value of blocks given newest first, from zero.
func barChart(title, unit string, blocks []summary, value func(summary) uint64) chart {
	c := chart{Title: title, Unit: unit, W: chartWidth, H: chartHeight, Empty: len(blocks) == 0}
	if c.Empty {
		return c
	}
	c.bounds(blocks, value)
	c.Low = 0
	step := float64(chartWidth) / float64(len(blocks))
	c.BarWidth = fmt.Sprintf("%.1f", max(step-1, 0.5))
	for i := range blocks {
		one := blocks[len(blocks)-1-i]
		v := value(one)
		h := float64(v) * (chartHeight - 4) / float64(max(c.High, 1))
		c.Bars = append(c.Bars, bar{
			X: fmt.Sprintf("%.1f", float64(i)*step), Y: fmt.Sprintf("%.1f", chartHeight-h), H: fmt.Sprintf("%.1f", h),
			Title: fmt.Sprintf("block %d: %d %s", one.Height, v, unit),
		})
	}
	return c
}

func (c *chart) bounds(blocks []summary, value func(summary) uint64) {
	c.First, c.Last, c.Now = blocks[len(blocks)-1].Height, blocks[0].Height, value(blocks[0])
	c.Low, c.High = c.Now, c.Now
	for _, b := range blocks {
		c.Low, c.High = min(c.Low, value(b)), max(c.High, value(b))
	}
}
