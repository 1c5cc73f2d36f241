namespace Larder.FileStore;

/// <summary>
/// When the file is flushed to the disk. The end of a process never loses data with any of these; only a power failure or a system crash can.
/// </summary>
public enum FileStoreDurability
{
    /// <summary>
    /// When the operating system decides. A power failure can lose any data, usually the last seconds. Values that remain readable are values that were
    /// written.
    /// </summary>
    None,

    /// <summary>
    /// Each time the file is compacted. A power failure can lose later writes: a key may be missing or have an older value again.
    /// </summary>
    OnCompaction,

    /// <summary>Before each write returns. A power failure loses no acknowledged write. A write takes about 150 µs on an SSD instead of 2 µs.</summary>
    EveryWrite,
}
