"""Everything a test needs to put the real Claude Code, a scripted model, the daemon and an approver together."""
