namespace Larder.Lab.Fleet;

/// <summary>The classification of a read of a <see cref="NumberedKey"/>.</summary>
internal enum ReadVerdict
{
    /// <summary>The read returned the last value, or the value of a failed write that was applied.</summary>
    Right,

    /// <summary>The read returned an older value or a miss, so an acknowledged write is lost.</summary>
    Lost,

    /// <summary>The read returned a value that had been missing in an earlier read.</summary>
    Stale,

    /// <summary>The read returned a value of another key, or a value that was never written.</summary>
    Crossed,
}
