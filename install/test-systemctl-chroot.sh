#!/bin/sh
# Stands in for systemctl in a chroot: it succeeds at everything and does nothing.
echo "Running in chroot, ignoring command '$2'" >&2
