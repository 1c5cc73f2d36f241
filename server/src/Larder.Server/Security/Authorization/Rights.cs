namespace Larder.Server.Security;

/// <summary>What a token may do, and what a call needs: the roles of a file of tokens as sets.</summary>
[Flags]
internal enum Rights : byte
{
    /// <summary>Nothing; of a call: it is open to whoever is known.</summary>
    None = 0,

    /// <summary>To see what items hold.</summary>
    Read = 1,

    /// <summary>To put and remove what items hold, whatever is there.</summary>
    Write = 2,

    /// <summary>Both, and so to change items by what they hold.</summary>
    ReadWrite = Read | Write,

    /// <summary>To make, flush and delete the cache.</summary>
    Admin = 4,

    /// <summary>The role of administrators.</summary>
    All = ReadWrite | Admin,
}
