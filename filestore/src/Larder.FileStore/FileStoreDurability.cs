namespace Larder.FileStore;

/// <summary>
/// When the file is flushed to the disk. The end of a process loses nothing with any of these; only power loss or a crash of the system does.
/// </summary>
public enum FileStoreDurability
{
    /// <summary>When the system sees fit. A power cut may cost anything, as a rule the last seconds; what is served was once written.</summary>
    None,

    /// <summary>
    /// Each time the file is rewritten without its dead lines. A power cut may cost what came since: a key may have an older value again, or none.
    /// </summary>
    OnCompaction,

    /// <summary>Before each write returns; a power cut costs nothing acknowledged. Some 150 µs on an SSD instead of 2.</summary>
    EveryWrite,
}
