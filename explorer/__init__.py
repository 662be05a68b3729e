"""The page: everything that knows the browser."""
