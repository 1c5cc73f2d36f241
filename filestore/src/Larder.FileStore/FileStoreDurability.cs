namespace Larder.FileStore;

/// <summary>
/// When the file is flushed to the disk. With each of these values, no acknowledged write is lost if a process ends or is killed. Only a power failure or a
/// system crash can lose data.
/// </summary>
public enum FileStoreDurability
{
    /// <summary>
    /// The operating system decides when the file is flushed. A power failure can lose any data, usually the writes of the last seconds. A value that can still
    /// be read was written completely.
    /// </summary>
    None,

    /// <summary>
    /// The file is flushed each time it is compacted. A power failure can lose writes since the last compaction. A key may then be missing or have an older
    /// value again.
    /// </summary>
    OnCompaction,

    /// <summary>
    /// The file is flushed before each write returns. A power failure loses no acknowledged write. A write takes about 150 µs on an SSD instead of 2 µs.
    /// </summary>
    EveryWrite,
}
