"""What every other room stands on: arrays, files, processes, limits."""
