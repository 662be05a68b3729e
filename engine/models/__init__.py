"""One algorithm a file: the model, which reads, and the trainer, which learns."""
