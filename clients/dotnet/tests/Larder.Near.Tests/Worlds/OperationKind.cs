namespace Larder.Near.Tests.Worlds;

/// <summary>The kinds of calls. The values can be combined into a set.</summary>
[Flags]
internal enum OperationKind : byte
{
    None = 0,

    /// <summary>A read that the near cache may answer, and whose response the near cache may store.</summary>
    NearGet = 1,

    /// <summary>Any other read of the key.</summary>
    PlainRead = 2,

    /// <summary>A set.</summary>
    Write = 4,

    /// <summary>A deletion of the key.</summary>
    Delete = 8,

    /// <summary>A set of a value that is too large for a near get's response (<c>use_unary</c>).</summary>
    LargeWrite = 16,

    /// <summary>A flush of the cache, which removes all keys.</summary>
    Flush = 32,

    /// <summary>The kinds of calls that change one key.</summary>
    Writes = Write | Delete | LargeWrite,
}
