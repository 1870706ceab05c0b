"""Frames of a scene, drawn in NumPy from the textures that Craftax ships.

May not import JAX, Craftax, `engine` or `text`.
"""
