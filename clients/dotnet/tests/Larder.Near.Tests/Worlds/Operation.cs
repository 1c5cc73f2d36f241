using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Worlds;

/// <summary>One call of a client, and what the server has done of it.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct Operation
{
    public OperationKind Kind;
    public OperationStep Step;
    public byte Key;

    /// <summary>The stream that a near get was written into.</summary>
    public byte Stream;

    /// <summary>What a read has to see, by the promise, at its call.</summary>
    public byte Required;

    /// <summary>What was read or written.</summary>
    public byte Version;

    /// <summary>What a flush made of the second key.</summary>
    public byte SecondVersion;

    /// <summary>What was read: a value, none, or one that is too large.</summary>
    public ValueForm Form;

    /// <summary>What the value had left when it was looked for; 0: more than this world lasts.</summary>
    public byte Left;

    /// <summary>Whom a write is to tell: a bit for each number.</summary>
    public byte Takes;

    /// <summary>The client has been told its end already; the server goes on.</summary>
    public bool IsOrphan;

    /// <summary>A write that is visible to others though its core has gone on.</summary>
    public bool IsVisible;

    public readonly bool IsUnderWay => Step != OperationStep.None;

    public readonly bool IsNearGet => Kind == OperationKind.NearGet;

    public readonly bool IsWrite => (Kind & OperationKind.Writes) != 0;
}
