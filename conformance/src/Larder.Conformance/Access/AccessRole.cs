namespace Larder.Conformance;

/// <summary>What a token may do, and what a call needs: roles as sums of what they allow.</summary>
[Flags]
internal enum AccessRole
{
    /// <summary>Whoever is known may.</summary>
    Open = 0,
    Read = 1,
    Write = 2,
    ReadWrite = Read | Write,
    Admin = ReadWrite | 4,
}
