"""Side by side with the peers; run by hand, never by the suite."""
