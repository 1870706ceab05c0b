"""The games in other frameworks: one file per framework, each imported only on demand.

May not import `play` or `cli`, and no framework of another file.
"""
