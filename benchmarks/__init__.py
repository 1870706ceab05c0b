"""Speed and size of the texts, measured side by side."""
