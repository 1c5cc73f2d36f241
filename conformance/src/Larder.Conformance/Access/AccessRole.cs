namespace Larder.Conformance;

/// <summary>The rights that a token grants or a call requires. The values can be combined.</summary>
[Flags]
internal enum AccessRole
{
    /// <summary>The calls that every valid token permits.</summary>
    Open = 0,
    Read = 1,
    Write = 2,
    ReadWrite = Read | Write,
    Admin = ReadWrite | 4,
}
