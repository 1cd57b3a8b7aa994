"""Text becomes words, numbers, times and mentions of what a table holds."""
