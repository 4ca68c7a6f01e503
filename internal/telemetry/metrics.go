package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is the registry of what is counted, and the counters everyone shares.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	pages    *prometheus.CounterVec
	cache    *prometheus.CounterVec
	credits  prometheus.Counter
}

// NewMetrics makes an empty registry with the shared counters.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_requests_total", Help: "Answered requests.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "trawl_request_seconds", Help: "Time from the request to its answer.",
			Buckets: []float64{.001, .005, .025, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}, []string{"route"}),
		pages: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_pages_total", Help: "Pages brought, by engine and outcome.",
		}, []string{"engine", "outcome"}),
		cache: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_cache_total", Help: "Looks into the page cache, by result.",
		}, []string{"result"}),
		credits: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "trawl_credits_total", Help: "Credits charged.",
		}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.pages, m.cache, m.credits,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request counts an answered request.
func (m *Metrics) Request(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// Page counts a page that was brought, or was not.
func (m *Metrics) Page(engine, outcome string) { m.pages.WithLabelValues(engine, outcome).Inc() }

// CacheLook counts a look into the page cache: hit, miss, stale or off.
func (m *Metrics) CacheLook(result string) { m.cache.WithLabelValues(result).Inc() }

// Credits counts credits charged.
func (m *Metrics) Credits(n int) { m.credits.Add(float64(n)) }

// Gauge is a number that is read when somebody asks for the metrics.
type Gauge struct {
	Name, Help string
	Label      string                    // the name of the one label; empty: none
	Read       func() map[string]float64 // value per label; the key is ignored without a label
}

// Watch adds gauges.
func (m *Metrics) Watch(gauges ...Gauge) {
	for _, g := range gauges {
		m.registry.MustRegister(gaugeCollector{g, g.desc()})
	}
}

// Handler serves the metrics in Prometheus' text form.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

type gaugeCollector struct {
	gauge Gauge
	desc  *prometheus.Desc
}

func (g Gauge) desc() *prometheus.Desc {
	var labels []string
	if g.Label != "" {
		labels = []string{g.Label}
	}
	return prometheus.NewDesc(g.Name, g.Help, labels, nil)
}

// Describe implements prometheus.Collector.
func (c gaugeCollector) Describe(ch chan<- *prometheus.Desc) { ch <- c.desc }

// Collect implements prometheus.Collector.
func (c gaugeCollector) Collect(ch chan<- prometheus.Metric) {
	for label, value := range c.gauge.Read() {
		if c.gauge.Label == "" {
			ch <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, value)
			return
		}
		ch <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, value, label)
	}
}
