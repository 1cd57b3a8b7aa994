"""The paper's tables and figures, one script each; results are JSON with all that is needed to repeat them."""
