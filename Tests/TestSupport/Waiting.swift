/// Lets other tasks run, in a loop that waits for what they do. Throws where the test was cancelled, such as by its time
/// limit: a loop that went on would hold up the whole run for ever.
package func letOthersRun() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
