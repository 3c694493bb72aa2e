import CPlatform

/// Memory that was freed and that the C library keeps for later.
package enum FreedMemory {
    /// Lets it keep little: by itself it keeps up to 64 MiB for each thread that ever needed as much. Once, at the start.
    package static func bound() { cplatform_bound_kept_memory() }

    /// Gives it back to the system. It takes a few milliseconds where there is much.
    package static func giveBack() { cplatform_give_back_memory() }
}
