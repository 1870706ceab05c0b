"""Gymnasium wrappers, one file each."""
