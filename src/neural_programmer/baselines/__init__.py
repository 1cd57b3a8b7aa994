"""What the paper compares with (section 3.2.2): sequence-to-sequence LSTMs, without and with attention."""
