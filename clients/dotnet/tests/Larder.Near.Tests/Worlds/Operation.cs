using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Worlds;

/// <summary>One call of a client, and its progress at the server.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct Operation
{
    public OperationKind Kind;
    public OperationStep Step;
    public byte Key;

    /// <summary>The stream on which a near get was sent.</summary>
    public byte Stream;

    /// <summary>The version that a read must return at least, determined when it was called.</summary>
    public byte Required;

    /// <summary>The version that was read or written.</summary>
    public byte Version;

    /// <summary>The version of the second key that a flush created.</summary>
    public byte SecondVersion;

    /// <summary>What was read: a value, nothing, or a value that is too large.</summary>
    public ValueForm Form;

    /// <summary>The value's remaining TTL when it was looked up; 0 if it exceeds the model's duration.</summary>
    public byte Left;

    /// <summary>The streams that a write must notify: one bit for each stream number.</summary>
    public byte Takes;

    /// <summary>Whether the call has already ended for its caller while the server continues.</summary>
    public bool IsOrphan;

    /// <summary>Whether a write is visible to other clients.</summary>
    public bool IsVisible;

    public readonly bool IsUnderWay => Step != OperationStep.None;

    public readonly bool IsNearGet => Kind == OperationKind.NearGet;

    public readonly bool IsWrite => (Kind & OperationKind.Writes) != 0;
}
