"""The equations of the paper: reader, selectors, history; scores of steps and of whole programs; weights."""
