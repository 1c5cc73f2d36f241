namespace Larder.Server.Security;

/// <summary>
/// A set of rights: either the rights that a token has or the rights that a call needs. The combinations correspond to the roles in a token file.
/// </summary>
[Flags]
internal enum Rights : byte
{
    /// <summary>No rights. A call that needs no rights is open to every authenticated caller.</summary>
    None = 0,

    /// <summary>The right to read items.</summary>
    Read = 1,

    /// <summary>The right to write and delete items. Writes that depend on the current content of an item also need <see cref="Read"/>.</summary>
    Write = 2,

    /// <summary>The rights to read and to write, which together also allow changes that depend on the content of items.</summary>
    ReadWrite = Read | Write,

    /// <summary>The right to create, flush and delete the cache.</summary>
    Admin = 4,

    /// <summary>All rights. The <c>admin</c> role of a token file has them.</summary>
    All = ReadWrite | Admin,
}
