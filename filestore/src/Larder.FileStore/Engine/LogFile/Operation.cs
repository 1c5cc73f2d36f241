namespace Larder.FileStore.Engine;

internal enum OperationKind
{
    Set,
    Remove,
    Touch,
    Clear,
}

/// <summary>One change, parsed from a line of the file. Times are Unix ms UTC; 0 if absent.</summary>
internal struct Operation
{
    internal OperationKind Kind;
    internal string Key;
    internal object? Value;
    internal long ExpiresMs;
    internal long SlidingMs;
    internal long CapMs;

    /// <summary>The size of the change in bytes if it is written as a separate line of the file.</summary>
    internal int RecordBytes;
}
