"""The gRPC edge: server, gate (tokens, roles, validation, errors), servicer base, watches, calls to other contexts."""

import os

# The process starts others only by exec. gRPC's fork handlers would run in between and have been seen to hang there;
# they are chosen when the library is loaded, so this stands before the first import of it.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
