namespace Larder.Server.Security;

/// <summary>The rights of a token, or the rights that a call needs: the roles of the token file as a bit set.</summary>
[Flags]
internal enum Rights : byte
{
    /// <summary>No rights. A call that needs no rights is open to every authenticated caller.</summary>
    None = 0,

    /// <summary>The right to read items.</summary>
    Read = 1,

    /// <summary>The right to write and delete items, but not to write them depending on their content.</summary>
    Write = 2,

    /// <summary>The rights to read and to write, which together also allow changes that depend on the content of items.</summary>
    ReadWrite = Read | Write,

    /// <summary>The right to create, flush and delete the cache.</summary>
    Admin = 4,

    /// <summary>All rights: the role of an administrator.</summary>
    All = ReadWrite | Admin,
}
