namespace Larder.FileStore;

/// <summary>When the file is flushed to the disk. The end of a process loses nothing with any of these; only power loss or a crash of the system does.</summary>
public enum FileStoreDurability
{
    /// <summary>When the system sees fit; the last seconds may be lost.</summary>
    None,

    /// <summary>Each time the file is rewritten without its dead lines.</summary>
    OnCompaction,

    /// <summary>Before each write returns: some 150 µs on an SSD instead of 2.</summary>
    EveryWrite,
}
