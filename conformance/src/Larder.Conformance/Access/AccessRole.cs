namespace Larder.Conformance;

/// <summary>What a token permits and what a call requires; flags can be combined.</summary>
[Flags]
internal enum AccessRole
{
    /// <summary>Permitted to every valid token.</summary>
    Open = 0,
    Read = 1,
    Write = 2,
    ReadWrite = Read | Write,
    Admin = ReadWrite | 4,
}
