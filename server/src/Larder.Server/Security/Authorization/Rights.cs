namespace Larder.Server.Security;

/// <summary>The rights of a token, or the rights that a call needs: the roles of the token file as a bit set.</summary>
[Flags]
internal enum Rights : byte
{
    /// <summary>No rights. As the need of a call: open to every authenticated caller.</summary>
    None = 0,

    /// <summary>Read items.</summary>
    Read = 1,

    /// <summary>Write and delete items, regardless of their content.</summary>
    Write = 2,

    /// <summary>Both, and therefore also change items depending on their content.</summary>
    ReadWrite = Read | Write,

    /// <summary>Create, flush and delete the cache.</summary>
    Admin = 4,

    /// <summary>All rights: the role of an administrator.</summary>
    All = ReadWrite | Admin,
}
