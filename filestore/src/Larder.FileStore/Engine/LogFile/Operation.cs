namespace Larder.FileStore.Engine;

internal enum OperationKind
{
    Set,
    Remove,
    Touch,
    Clear,
}

/// <summary>One change as a line of the file tells it. Times are Unix ms UTC, 0 where absent.</summary>
internal struct Operation
{
    internal OperationKind Kind;
    internal string Key;
    internal object? Value;
    internal long ExpiresMs;
    internal long SlidingMs;
    internal long CapMs;

    /// <summary>Bytes the change takes as a line of its own.</summary>
    internal int RecordBytes;
}
