"""Files of other libraries: one module a format, each to read and, where it makes sense, to write."""
