"""The paper's experiments; results are JSON with all that is needed to repeat them."""
