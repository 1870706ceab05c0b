"""The games in other frameworks: one file a framework, each imported only by who uses it."""
