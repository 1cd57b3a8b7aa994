"""The programs that a question may mean, and what they give."""
