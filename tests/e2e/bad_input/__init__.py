"""Whatever a caller gets wrong, at one running `serve all`: the modules share it, which is why this is a package."""
