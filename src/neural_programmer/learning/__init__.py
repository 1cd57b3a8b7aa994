"""Learning from questions, tables and answers: batches, objectives, training, checkpoints, evaluation."""
