"""Helpers that know nothing of the games: checks of arguments, extras and plugins, versions, English words.

May not import anything else of the package.
"""
