"""Which actions are available now, why not, and what the last one did: formulas over arrays, shared by device and host.

May not import JAX, Craftax, `engine` or `text`.
"""
