namespace Larder.Lab.Fleet;

/// <summary>The classification of a read of a <see cref="NumberedKey"/>.</summary>
internal enum ReadVerdict
{
    /// <summary>The last value, or that of a failed write that was applied.</summary>
    Right,

    /// <summary>An older value or none: an acknowledged write is lost.</summary>
    Lost,

    /// <summary>A value that had been missing before.</summary>
    Stale,

    /// <summary>Another key's value, or one that was never written.</summary>
    Crossed,
}
