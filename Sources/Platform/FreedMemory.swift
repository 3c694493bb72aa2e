import CPlatform

/// Controls the freed memory that the C library keeps for later.
package enum FreedMemory {
    /// Limits the freed memory that the C library keeps. Without the limit that is up to 64 MiB for each thread that
    /// ever needed as much. Call this once, at the start.
    package static func bound() { cplatform_bound_kept_memory() }

    /// Returns freed memory to the system. This takes a few milliseconds where there is much.
    package static func giveBack() { cplatform_give_back_memory() }
}
