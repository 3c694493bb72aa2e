/// The relays people write by hand, as they are usually written.
enum PeerScripts {
    /// One line in `settings.json`.
    static func curl(_ socket: String) -> Launch {
        Launch(
            "/bin/sh",
            [
                "-c",
                "curl -s --unix-socket '\(socket)' -H 'Content-Type: application/json' --data-binary @- "
                    + "http://localhost/hooks/claude",
            ])
    }

    /// Takes the input apart with jq, sends it with curl, takes the answer apart with jq.
    static func bash(_ socket: String) -> String {
        """
        #!/bin/bash
        input=$(cat)
        body=$(printf '%s' "$input" | jq -c '{session_id, transcript_path, cwd, hook_event_name, permission_mode,
            tool_name, tool_input, tool_use_id}')
        reply=$(printf '%s' "$body" | curl -s --unix-socket '\(socket)' -H 'Content-Type: application/json' \\
            --data-binary @- http://localhost/hooks/claude)
        decision=$(printf '%s' "$reply" | jq -r '.hookSpecificOutput.permissionDecision // empty')
        if [ -n "$decision" ]; then printf '%s' "$reply"; fi
        """
    }

    /// For `python3 -S`, which skips what a script like this does not need.
    static func python(_ socket: String) -> String {
        """
        from http.client import HTTPConnection
        from socket import AF_UNIX, socket
        from sys import stdin, stdout

        class Connection(HTTPConnection):
            def connect(self):
                self.sock = socket(AF_UNIX)
                self.sock.connect('\(socket)')

        connection = Connection('localhost')
        connection.request('POST', '/hooks/claude', stdin.buffer.read(), {'Content-Type': 'application/json'})
        stdout.buffer.write(connection.getresponse().read())
        """
    }
}
