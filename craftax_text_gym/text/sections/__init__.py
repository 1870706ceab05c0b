"""The sections of a text, one file each. A new one is a new file and a line in `text.registry`.

Loaded by name, through `text.loading`: nothing else in `text` imports them.
May not import JAX, Craftax, `engine` or a markup.
"""
