namespace Larder.Near.Tests.Worlds;

/// <summary>What a client may call. A set of them, too.</summary>
[Flags]
internal enum OperationKind : byte
{
    None = 0,

    /// <summary>A read that may be answered by a copy, and whose answer may be kept.</summary>
    NearGet = 1,

    /// <summary>Any other read of the key.</summary>
    PlainRead = 2,

    /// <summary>A set.</summary>
    Write = 4,

    /// <summary>A deletion of the key.</summary>
    Delete = 8,

    /// <summary>A set of a value that a near get is not answered with (<c>use_unary</c>).</summary>
    LargeWrite = 16,

    /// <summary>A flush of the cache, that is of all keys.</summary>
    Flush = 32,

    /// <summary>What changes one key.</summary>
    Writes = Write | Delete | LargeWrite,
}
