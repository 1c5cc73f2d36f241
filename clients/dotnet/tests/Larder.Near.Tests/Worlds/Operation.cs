using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Worlds;

/// <summary>One call of a client, and its progress at the server.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct Operation
{
    public OperationKind Kind;
    public OperationStep Step;
    public byte Key;

    /// <summary>The number of the stream on which a near get was sent.</summary>
    public byte Stream;

    /// <summary>The lowest version that a read may return. It is determined when the client makes the call.</summary>
    public byte Required;

    /// <summary>The version that was read or written.</summary>
    public byte Version;

    /// <summary>The version that a flush created for the second key.</summary>
    public byte SecondVersion;

    /// <summary>The result of a read: a value, no value, or a value that is too large.</summary>
    public ValueForm Form;

    /// <summary>The remaining TTL that the value had when the server looked it up. If the TTL exceeds the duration of the model, this is 0.</summary>
    public byte Left;

    /// <summary>The streams that a write must notify, one bit for each stream number.</summary>
    public byte Takes;

    /// <summary>Whether the call has already ended for its caller while the server continues.</summary>
    public bool IsOrphan;

    /// <summary>Whether a write is visible to other clients.</summary>
    public bool IsVisible;

    public readonly bool IsUnderWay => Step != OperationStep.None;

    public readonly bool IsNearGet => Kind == OperationKind.NearGet;

    public readonly bool IsWrite => (Kind & OperationKind.Writes) != 0;
}
