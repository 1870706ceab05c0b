"""Pictures of a scene, drawn in NumPy from Craftax's textures.

May not import JAX, Craftax, `engine` or `text`.
"""
