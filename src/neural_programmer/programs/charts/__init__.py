"""The picture of an answer: chosen from its columns, written as a Vega-Lite specification, drawn as SVG."""
