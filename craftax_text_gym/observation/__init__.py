"""What the player sees at one step: the packed row's layout, its bytes, and the scene that names them.

May not import JAX, Craftax, `availability`, `engine` or `text`.
"""
