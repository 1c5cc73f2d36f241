using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>One client.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct ClientPart
{
    /// <summary>Its near state: a number of <c>ClientMachine</c>.</summary>
    public int Machine;

    /// <summary>Calls that it still makes.</summary>
    public byte CallsLeft;

    /// <summary>Renews that it still sends.</summary>
    public byte RenewsLeft;

    /// <summary>Calls that may still end early for their caller.</summary>
    public byte ErrorsLeft;

    /// <summary>Its streams so far.</summary>
    public byte Streams;

    /// <summary>Of each key, the oldest version that it may still be given: it saw, wrote or was told of that, or another wrote it long enough ago.</summary>
    public Two<byte> Floors;
}
