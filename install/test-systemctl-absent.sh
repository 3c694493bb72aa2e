#!/bin/sh
# Stands in for systemctl on a machine without systemd.
echo 'System has not been booted with systemd as init system' >&2
exit 1
